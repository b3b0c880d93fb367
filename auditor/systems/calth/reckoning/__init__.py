"""What the rules make of an event, before anybody is judged: the rules compare it with the log, `adopt` goes on with
it.
"""
