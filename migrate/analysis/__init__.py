"""What several analyses share: constant values, type sizes, launch geometry, kernel launches, cooperative groups.

Knows one parsed file at a time. Finds nothing to report and changes nothing.
"""
