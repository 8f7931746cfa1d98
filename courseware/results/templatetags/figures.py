"""Shares as pages of results write them."""

from django import template

from courseware.results.analysis.flags import percent

register = template.Library()
register.filter("percent", percent)
