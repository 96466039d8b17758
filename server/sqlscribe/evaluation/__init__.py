"""How often the answers are right: question sets, arms side by side, figures and a report.

dataset        questions with gold SQL, from a file or from the workspace's examples
arms           ways of asking that are compared: settings, templates, what is switched off
snapshots      what an arm answers a question from
replies        every reply of a model, kept, so that a run goes on where it was
execution      queries run for reading only, in a process of their own, within bounds
compare        whether two results hold the same rows
run            each question by each arm in turn
figures        what came of it, and the differences between arms
baseline       what passed before, for CI
report         a page to read the failures on
"""
