"""The conformance run: legal games that must be found clean, and games with planted faults that must be found.

The games and what must be found in them come from `auditor.conformance`, which shares no code with the auditor; this
package brings the two together and counts. What is counted depends on the seed and the numbers asked for, and on
nothing else: neither on the number of processes nor on the order in which they finish.
"""
