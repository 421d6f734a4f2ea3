class ChallengeBase:
    def __init__(self, device="cuda"):
        self.device = device
