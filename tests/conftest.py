"""What all tests share."""

from hypothesis import HealthCheck, settings

# A slow machine is no failure: times are measured in tests/bench, as ratios.
settings.register_profile("house", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("house")
