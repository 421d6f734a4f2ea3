# Sourced by tests that need a clean Debian or Ubuntu root. They run as root and have a network.
#
#   RAFTER_MIRROR=URL          where debootstrap and apt get packages; default: this machine's first source of its release
#   RAFTER_BARE_ROOT=FOLDER    a root that `debootstrap --variant=minbase` made before; it is copied

# Prints why this machine cannot make a bare root; nothing if it can.
why_no_bare_root() {
  if [ ! -e /etc/debian_version ]; then echo "this is not Debian or Ubuntu"
  elif [ "$(id -u)" != 0 ]; then echo "only root may make a bare root"
  elif ! unshare -m true 2>/dev/null; then echo "mounting is not allowed here"
  fi
}

# make_bare_root FOLDER: the packages that every Debian has, with this machine's sources and settings of apt.
make_bare_root() {
  local root=$1 suite mirror components=main log
  suite=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
  mirror=${RAFTER_MIRROR:-$(apt-get indextargets --format '$(SITE)|$(RELEASE)' 'Created-By: Packages' |
    sed -n "s/|$suite\$//p" | head -n 1)}
  grep -qx 'ID=ubuntu' /etc/os-release && components=main,universe
  if [ -n "${RAFTER_BARE_ROOT:-}" ]; then
    cp -a "$RAFTER_BARE_ROOT" "$root"
  else
    [ -n "$mirror" ] || { echo "no mirror is known: set RAFTER_MIRROR, or run apt-get update"; return 1; }
    .ci/packages debootstrap=debootstrap || return 1
    log=$root.log
    debootstrap --variant=minbase --components=$components "$suite" "$root" "$mirror" >"$log" 2>&1 || { tail -n 20 "$log"; return 1; }
    # Proxies, certificates and the like.
    apt-config dump --format '%F "%v";%n' Acquire::http Acquire::https Acquire::ftp >"$root/etc/apt/apt.conf.d/90machine"
  fi
  cp /etc/resolv.conf "$root/etc/resolv.conf"
}

# in_root ROOT COMMAND...: runs a command in the root, in the folder / and with an environment of its own. Its mounts end
# with it. A root with an empty folder /usr/local/cuda has this machine's toolkit there.
in_root() {
  local root=$1; shift
  unshare -m bash -c 'mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" || exit 1
    if [ -d "$0/usr/local/cuda" ]; then mount --bind "$(realpath /usr/local/cuda)" "$0/usr/local/cuda" || exit 1; fi
    exec chroot "$0" "$@"' "$root" \
    env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 \
    DEBIAN_FRONTEND=noninteractive ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} "$@"
}

# as_user ROOT COMMAND: runs a shell command in the root as an ordinary user, in the folder /home/user.
as_user() {
  [ -d "$1/home/user" ] || in_root "$1" useradd --create-home user
  in_root "$1" setpriv --reuid=user --regid=user --clear-groups env HOME=/home/user bash -c "cd && $2"
}
