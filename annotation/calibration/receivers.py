"""What people did is told to whoever asks what another profile would have done."""

from processing.quality.services.histories import History


def history_for(key: str) -> History:
    """Of pages of documents frozen with a version of that profile."""
    from annotation.calibration.services import proposing  # heavy, and seldom asked for

    return proposing.history_for(key)
