"""Hypothesis without its clock: a loaded machine is no fault of the code under test."""

import hypothesis

hypothesis.settings.register_profile("courseware", deadline=None)
hypothesis.settings.load_profile("courseware")
