// The register lists of wgmma. For each number of columns, in steps of eight: the accumulators as PTX names them and as
// the asm statement takes them, and the numbers of the operands that follow them.
#pragma once

// clang-format off
#define RAFTER_WGMMA_NAMES_1 "%0, %1, %2, %3"
#define RAFTER_WGMMA_NAMES_2 RAFTER_WGMMA_NAMES_1 ", " "%4, %5, %6, %7"
#define RAFTER_WGMMA_NAMES_3 RAFTER_WGMMA_NAMES_2 ", " "%8, %9, %10, %11"
#define RAFTER_WGMMA_NAMES_4 RAFTER_WGMMA_NAMES_3 ", " "%12, %13, %14, %15"
#define RAFTER_WGMMA_NAMES_5 RAFTER_WGMMA_NAMES_4 ", " "%16, %17, %18, %19"
#define RAFTER_WGMMA_NAMES_6 RAFTER_WGMMA_NAMES_5 ", " "%20, %21, %22, %23"
#define RAFTER_WGMMA_NAMES_7 RAFTER_WGMMA_NAMES_6 ", " "%24, %25, %26, %27"
#define RAFTER_WGMMA_NAMES_8 RAFTER_WGMMA_NAMES_7 ", " "%28, %29, %30, %31"
#define RAFTER_WGMMA_NAMES_9 RAFTER_WGMMA_NAMES_8 ", " "%32, %33, %34, %35"
#define RAFTER_WGMMA_NAMES_10 RAFTER_WGMMA_NAMES_9 ", " "%36, %37, %38, %39"
#define RAFTER_WGMMA_NAMES_11 RAFTER_WGMMA_NAMES_10 ", " "%40, %41, %42, %43"
#define RAFTER_WGMMA_NAMES_12 RAFTER_WGMMA_NAMES_11 ", " "%44, %45, %46, %47"
#define RAFTER_WGMMA_NAMES_13 RAFTER_WGMMA_NAMES_12 ", " "%48, %49, %50, %51"
#define RAFTER_WGMMA_NAMES_14 RAFTER_WGMMA_NAMES_13 ", " "%52, %53, %54, %55"
#define RAFTER_WGMMA_NAMES_15 RAFTER_WGMMA_NAMES_14 ", " "%56, %57, %58, %59"
#define RAFTER_WGMMA_NAMES_16 RAFTER_WGMMA_NAMES_15 ", " "%60, %61, %62, %63"
#define RAFTER_WGMMA_NAMES_17 RAFTER_WGMMA_NAMES_16 ", " "%64, %65, %66, %67"
#define RAFTER_WGMMA_NAMES_18 RAFTER_WGMMA_NAMES_17 ", " "%68, %69, %70, %71"
#define RAFTER_WGMMA_NAMES_19 RAFTER_WGMMA_NAMES_18 ", " "%72, %73, %74, %75"
#define RAFTER_WGMMA_NAMES_20 RAFTER_WGMMA_NAMES_19 ", " "%76, %77, %78, %79"
#define RAFTER_WGMMA_NAMES_21 RAFTER_WGMMA_NAMES_20 ", " "%80, %81, %82, %83"
#define RAFTER_WGMMA_NAMES_22 RAFTER_WGMMA_NAMES_21 ", " "%84, %85, %86, %87"
#define RAFTER_WGMMA_NAMES_23 RAFTER_WGMMA_NAMES_22 ", " "%88, %89, %90, %91"
#define RAFTER_WGMMA_NAMES_24 RAFTER_WGMMA_NAMES_23 ", " "%92, %93, %94, %95"
#define RAFTER_WGMMA_NAMES_25 RAFTER_WGMMA_NAMES_24 ", " "%96, %97, %98, %99"
#define RAFTER_WGMMA_NAMES_26 RAFTER_WGMMA_NAMES_25 ", " "%100, %101, %102, %103"
#define RAFTER_WGMMA_NAMES_27 RAFTER_WGMMA_NAMES_26 ", " "%104, %105, %106, %107"
#define RAFTER_WGMMA_NAMES_28 RAFTER_WGMMA_NAMES_27 ", " "%108, %109, %110, %111"
#define RAFTER_WGMMA_NAMES_29 RAFTER_WGMMA_NAMES_28 ", " "%112, %113, %114, %115"
#define RAFTER_WGMMA_NAMES_30 RAFTER_WGMMA_NAMES_29 ", " "%116, %117, %118, %119"
#define RAFTER_WGMMA_NAMES_31 RAFTER_WGMMA_NAMES_30 ", " "%120, %121, %122, %123"
#define RAFTER_WGMMA_NAMES_32 RAFTER_WGMMA_NAMES_31 ", " "%124, %125, %126, %127"
#define RAFTER_WGMMA_D_1 "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
#define RAFTER_WGMMA_D_2 RAFTER_WGMMA_D_1, "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7])
#define RAFTER_WGMMA_D_3 RAFTER_WGMMA_D_2, "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11])
#define RAFTER_WGMMA_D_4 RAFTER_WGMMA_D_3, "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15])
#define RAFTER_WGMMA_D_5 RAFTER_WGMMA_D_4, "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19])
#define RAFTER_WGMMA_D_6 RAFTER_WGMMA_D_5, "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23])
#define RAFTER_WGMMA_D_7 RAFTER_WGMMA_D_6, "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27])
#define RAFTER_WGMMA_D_8 RAFTER_WGMMA_D_7, "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31])
#define RAFTER_WGMMA_D_9 RAFTER_WGMMA_D_8, "+f"(d[32]), "+f"(d[33]), "+f"(d[34]), "+f"(d[35])
#define RAFTER_WGMMA_D_10 RAFTER_WGMMA_D_9, "+f"(d[36]), "+f"(d[37]), "+f"(d[38]), "+f"(d[39])
#define RAFTER_WGMMA_D_11 RAFTER_WGMMA_D_10, "+f"(d[40]), "+f"(d[41]), "+f"(d[42]), "+f"(d[43])
#define RAFTER_WGMMA_D_12 RAFTER_WGMMA_D_11, "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47])
#define RAFTER_WGMMA_D_13 RAFTER_WGMMA_D_12, "+f"(d[48]), "+f"(d[49]), "+f"(d[50]), "+f"(d[51])
#define RAFTER_WGMMA_D_14 RAFTER_WGMMA_D_13, "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55])
#define RAFTER_WGMMA_D_15 RAFTER_WGMMA_D_14, "+f"(d[56]), "+f"(d[57]), "+f"(d[58]), "+f"(d[59])
#define RAFTER_WGMMA_D_16 RAFTER_WGMMA_D_15, "+f"(d[60]), "+f"(d[61]), "+f"(d[62]), "+f"(d[63])
#define RAFTER_WGMMA_D_17 RAFTER_WGMMA_D_16, "+f"(d[64]), "+f"(d[65]), "+f"(d[66]), "+f"(d[67])
#define RAFTER_WGMMA_D_18 RAFTER_WGMMA_D_17, "+f"(d[68]), "+f"(d[69]), "+f"(d[70]), "+f"(d[71])
#define RAFTER_WGMMA_D_19 RAFTER_WGMMA_D_18, "+f"(d[72]), "+f"(d[73]), "+f"(d[74]), "+f"(d[75])
#define RAFTER_WGMMA_D_20 RAFTER_WGMMA_D_19, "+f"(d[76]), "+f"(d[77]), "+f"(d[78]), "+f"(d[79])
#define RAFTER_WGMMA_D_21 RAFTER_WGMMA_D_20, "+f"(d[80]), "+f"(d[81]), "+f"(d[82]), "+f"(d[83])
#define RAFTER_WGMMA_D_22 RAFTER_WGMMA_D_21, "+f"(d[84]), "+f"(d[85]), "+f"(d[86]), "+f"(d[87])
#define RAFTER_WGMMA_D_23 RAFTER_WGMMA_D_22, "+f"(d[88]), "+f"(d[89]), "+f"(d[90]), "+f"(d[91])
#define RAFTER_WGMMA_D_24 RAFTER_WGMMA_D_23, "+f"(d[92]), "+f"(d[93]), "+f"(d[94]), "+f"(d[95])
#define RAFTER_WGMMA_D_25 RAFTER_WGMMA_D_24, "+f"(d[96]), "+f"(d[97]), "+f"(d[98]), "+f"(d[99])
#define RAFTER_WGMMA_D_26 RAFTER_WGMMA_D_25, "+f"(d[100]), "+f"(d[101]), "+f"(d[102]), "+f"(d[103])
#define RAFTER_WGMMA_D_27 RAFTER_WGMMA_D_26, "+f"(d[104]), "+f"(d[105]), "+f"(d[106]), "+f"(d[107])
#define RAFTER_WGMMA_D_28 RAFTER_WGMMA_D_27, "+f"(d[108]), "+f"(d[109]), "+f"(d[110]), "+f"(d[111])
#define RAFTER_WGMMA_D_29 RAFTER_WGMMA_D_28, "+f"(d[112]), "+f"(d[113]), "+f"(d[114]), "+f"(d[115])
#define RAFTER_WGMMA_D_30 RAFTER_WGMMA_D_29, "+f"(d[116]), "+f"(d[117]), "+f"(d[118]), "+f"(d[119])
#define RAFTER_WGMMA_D_31 RAFTER_WGMMA_D_30, "+f"(d[120]), "+f"(d[121]), "+f"(d[122]), "+f"(d[123])
#define RAFTER_WGMMA_D_32 RAFTER_WGMMA_D_31, "+f"(d[124]), "+f"(d[125]), "+f"(d[126]), "+f"(d[127])
// X(columns, names, accumulators, operands that follow)
#define RAFTER_WGMMA_SHAPES(X) \
  X(8, RAFTER_WGMMA_NAMES_1, (RAFTER_WGMMA_D_1), "%4", "%5", "%6", "%7", "%8", "%9") \
  X(16, RAFTER_WGMMA_NAMES_2, (RAFTER_WGMMA_D_2), "%8", "%9", "%10", "%11", "%12", "%13") \
  X(24, RAFTER_WGMMA_NAMES_3, (RAFTER_WGMMA_D_3), "%12", "%13", "%14", "%15", "%16", "%17") \
  X(32, RAFTER_WGMMA_NAMES_4, (RAFTER_WGMMA_D_4), "%16", "%17", "%18", "%19", "%20", "%21") \
  X(40, RAFTER_WGMMA_NAMES_5, (RAFTER_WGMMA_D_5), "%20", "%21", "%22", "%23", "%24", "%25") \
  X(48, RAFTER_WGMMA_NAMES_6, (RAFTER_WGMMA_D_6), "%24", "%25", "%26", "%27", "%28", "%29") \
  X(56, RAFTER_WGMMA_NAMES_7, (RAFTER_WGMMA_D_7), "%28", "%29", "%30", "%31", "%32", "%33") \
  X(64, RAFTER_WGMMA_NAMES_8, (RAFTER_WGMMA_D_8), "%32", "%33", "%34", "%35", "%36", "%37") \
  X(72, RAFTER_WGMMA_NAMES_9, (RAFTER_WGMMA_D_9), "%36", "%37", "%38", "%39", "%40", "%41") \
  X(80, RAFTER_WGMMA_NAMES_10, (RAFTER_WGMMA_D_10), "%40", "%41", "%42", "%43", "%44", "%45") \
  X(88, RAFTER_WGMMA_NAMES_11, (RAFTER_WGMMA_D_11), "%44", "%45", "%46", "%47", "%48", "%49") \
  X(96, RAFTER_WGMMA_NAMES_12, (RAFTER_WGMMA_D_12), "%48", "%49", "%50", "%51", "%52", "%53") \
  X(104, RAFTER_WGMMA_NAMES_13, (RAFTER_WGMMA_D_13), "%52", "%53", "%54", "%55", "%56", "%57") \
  X(112, RAFTER_WGMMA_NAMES_14, (RAFTER_WGMMA_D_14), "%56", "%57", "%58", "%59", "%60", "%61") \
  X(120, RAFTER_WGMMA_NAMES_15, (RAFTER_WGMMA_D_15), "%60", "%61", "%62", "%63", "%64", "%65") \
  X(128, RAFTER_WGMMA_NAMES_16, (RAFTER_WGMMA_D_16), "%64", "%65", "%66", "%67", "%68", "%69") \
  X(136, RAFTER_WGMMA_NAMES_17, (RAFTER_WGMMA_D_17), "%68", "%69", "%70", "%71", "%72", "%73") \
  X(144, RAFTER_WGMMA_NAMES_18, (RAFTER_WGMMA_D_18), "%72", "%73", "%74", "%75", "%76", "%77") \
  X(152, RAFTER_WGMMA_NAMES_19, (RAFTER_WGMMA_D_19), "%76", "%77", "%78", "%79", "%80", "%81") \
  X(160, RAFTER_WGMMA_NAMES_20, (RAFTER_WGMMA_D_20), "%80", "%81", "%82", "%83", "%84", "%85") \
  X(168, RAFTER_WGMMA_NAMES_21, (RAFTER_WGMMA_D_21), "%84", "%85", "%86", "%87", "%88", "%89") \
  X(176, RAFTER_WGMMA_NAMES_22, (RAFTER_WGMMA_D_22), "%88", "%89", "%90", "%91", "%92", "%93") \
  X(184, RAFTER_WGMMA_NAMES_23, (RAFTER_WGMMA_D_23), "%92", "%93", "%94", "%95", "%96", "%97") \
  X(192, RAFTER_WGMMA_NAMES_24, (RAFTER_WGMMA_D_24), "%96", "%97", "%98", "%99", "%100", "%101") \
  X(200, RAFTER_WGMMA_NAMES_25, (RAFTER_WGMMA_D_25), "%100", "%101", "%102", "%103", "%104", "%105") \
  X(208, RAFTER_WGMMA_NAMES_26, (RAFTER_WGMMA_D_26), "%104", "%105", "%106", "%107", "%108", "%109") \
  X(216, RAFTER_WGMMA_NAMES_27, (RAFTER_WGMMA_D_27), "%108", "%109", "%110", "%111", "%112", "%113") \
  X(224, RAFTER_WGMMA_NAMES_28, (RAFTER_WGMMA_D_28), "%112", "%113", "%114", "%115", "%116", "%117") \
  X(232, RAFTER_WGMMA_NAMES_29, (RAFTER_WGMMA_D_29), "%116", "%117", "%118", "%119", "%120", "%121") \
  X(240, RAFTER_WGMMA_NAMES_30, (RAFTER_WGMMA_D_30), "%120", "%121", "%122", "%123", "%124", "%125") \
  X(248, RAFTER_WGMMA_NAMES_31, (RAFTER_WGMMA_D_31), "%124", "%125", "%126", "%127", "%128", "%129") \
  X(256, RAFTER_WGMMA_NAMES_32, (RAFTER_WGMMA_D_32), "%128", "%129", "%130", "%131", "%132", "%133")
// clang-format on
