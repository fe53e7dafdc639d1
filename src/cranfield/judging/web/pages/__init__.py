"""The screens, one module each: functions that take an `Ask` and return a response.

Begin with `judge`, where assessors spend their day.
"""
