"""What each address answers to each person, by method. A test fails when an address of the URL conf is not in here.

login is a redirect to the page for signing in; 302 is any other redirect. Every form that is sent would be taken from
whoever may send it, and everything asked for belongs to the owner. The link to a new password is the owner's too, and
counts no longer once they sign in; the form for joining names the learner of the other cohort.
"""

PEOPLE = ("stranger", "owner", "learner", "instructor", "assistant", "elsewhere", "operator")

_TABLE = """
name                                 method  stranger  owner  learner  instructor  assistant  elsewhere  operator
healthz                              GET     200       200    200      200         200        200        200
healthz                              POST    405       405    405      405         405        405        405
readyz                               GET     200       200    200      200         200        200        200
readyz                               POST    405       405    405      405         405        405        405
metrics                              GET     404       404    404      404         404        404        404
metrics                              POST    405       405    405      405         405        405        405
account_login                        GET     200       302    302      302         302        302        302
account_login                        POST    200       302    302      302         302        302        302
account_logout                       GET     login     200    200      200         200        200        200
account_logout                       POST    login     login  login    login       login      login      login
account_inactive                     GET     200       200    200      200         200        200        200
account_inactive                     POST    405       405    405      405         405        405        405
account_change_password              GET     login     200    200      200         200        200        200
account_change_password              POST    login     302    302      302         302        302        302
account_reauthenticate               GET     login     200    200      200         200        200        200
account_reauthenticate               POST    login     302    302      302         302        302        302
mfa_reauthenticate                   GET     login     302    302      302         302        302        302
mfa_reauthenticate                   POST    login     302    302      302         302        302        302
account_reset_password               GET     200       200    200      200         200        200        200
account_reset_password               POST    302       302    302      302         302        302        302
account_reset_password_done          GET     200       200    200      200         200        200        200
account_reset_password_done          POST    405       405    405      405         405        405        405
account_reset_password_from_key      GET     302       200    302      302         302        302        302
account_reset_password_from_key      POST    302       200    302      302         302        302        302
account_reset_password_from_key_done GET     200       200    200      200         200        200        200
account_reset_password_from_key_done POST    405       405    405      405         405        405        405
mfa_index                            GET     login     200    200      200         200        200        200
mfa_index                            POST    405       405    405      405         405        405        405
mfa_authenticate                     GET     login     302    302      302         302        302        302
mfa_authenticate                     POST    login     302    302      302         302        302        302
mfa_activate_totp                    GET     login     302    302      302         302        302        302
mfa_activate_totp                    POST    login     302    302      302         302        302        302
mfa_deactivate_totp                  GET     login     404    404      404         404        404        404
mfa_deactivate_totp                  POST    login     404    404      404         404        404        404
mfa_view_recovery_codes              GET     login     404    404      404         404        404        404
mfa_view_recovery_codes              POST    405       405    405      405         405        405        405
mfa_generate_recovery_codes          GET     login     302    302      302         302        302        302
mfa_generate_recovery_codes          POST    login     302    302      302         302        302        302
join                                 GET     200       200    200      200         200        200        200
join                                 POST    302       302    302      302         302        302        302
join_cohort                          GET     200       200    200      200         200        200        200
join_cohort                          POST    302       200    302      200         200        200        200
home                                 GET     login     200    200      200         200        200        200
home                                 POST    login     405    405      405         405        405        405
module                               GET     login     200    200      200         200        200        200
module                               POST    login     405    405      405         405        405        405
module_map                           GET     login     200    200      200         200        200        200
module_map                           POST    login     405    405      405         405        405        405
whole_module                         GET     login     200    200      200         200        200        200
whole_module                         POST    login     405    405      405         405        405        405
glossary                             GET     login     200    200      200         200        200        200
glossary                             POST    login     405    405      405         405        405        405
notation                             GET     login     200    200      200         200        200        200
notation                             POST    login     405    405      405         405        405        405
card                                 GET     login     200    200      200         200        200        200
card                                 POST    login     405    405      405         405        405        405
card_fifteen                         GET     login     200    200      200         200        200        200
card_fifteen                         POST    login     405    405      405         405        405        405
card_deep                            GET     login     200    200      200         200        200        200
card_deep                            POST    login     405    405      405         405        405        405
self_check_pick                      GET     login     405    405      405         405        405        405
self_check_pick                      POST    login     302    302      302         302        302        302
keys                                 GET     200       200    200      200         200        200        200
keys                                 POST    405       405    405      405         405        405        405
status                               GET     login     200    200      200         200        200        200
status                               POST    login     405    405      405         405        405        405
assignments                          GET     login     200    200      200         200        200        200
assignments                          POST    login     405    405      405         405        405        405
assignment                           GET     login     200    404      404         404        404        404
assignment                           POST    login     405    405      405         405        405        405
sitting_open                         GET     login     405    405      405         405        405        405
sitting_open                         POST    login     302    404      404         404        404        404
question                             GET     login     200    404      404         404        404        404
question                             POST    login     302    404      404         404        404        404
question_flag                        GET     login     405    405      405         405        405        405
question_flag                        POST    login     302    404      404         404        404        404
question_final                       GET     login     405    405      405         405        405        405
question_final                       POST    login     404    404      404         404        404        404
sitting_time                         GET     login     200    404      404         404        404        404
sitting_time                         POST    login     405    405      405         405        405        405
hand_in                              GET     login     200    404      404         404        404        404
hand_in                              POST    login     302    404      404         404        404        404
review                               GET     login     200    404      404         404        404        404
review                               POST    login     405    405      405         405        405        405
report_reviewed                      GET     login     200    404      404         404        404        404
report_reviewed                      POST    login     302    404      404         404        404        404
report_practised                     GET     login     200    404      404         404        404        404
report_practised                     POST    login     302    404      404         404        404        404
practice                             GET     login     200    200      200         200        200        200
practice                             POST    login     405    405      405         405        405        405
practice_concept                     GET     login     200    200      200         200        200        200
practice_concept                     POST    login     405    405      405         405        405        405
practice_idea                        GET     login     200    200      200         200        200        200
practice_idea                        POST    login     405    405      405         405        405        405
practice_question                    GET     login     200    200      200         200        200        200
practice_question                    POST    login     302    302      302         302        302        302
practice_answer                      GET     login     200    404      404         404        404        404
practice_answer                      POST    login     405    405      405         405        405        405
exercises                            GET     login     200    200      200         200        200        200
exercises                            POST    login     405    405      405         405        405        405
exercise                             GET     login     200    200      200         200        200        200
exercise                             POST    login     405    405      405         405        405        405
draft_save                           GET     login     405    405      405         405        405        405
draft_save                           POST    login     302    302      302         302        302        302
submit                               GET     login     405    405      405         405        405        405
submit                               POST    login     302    302      302         302        302        302
submission                           GET     login     200    404      404         404        404        404
submission                           POST    login     405    405      405         405        405        405
submission_status                    GET     login     200    404      404         404        404        404
submission_status                    POST    login     405    405      405         405        405        405
submission_cancel                    GET     login     405    405      405         405        405        405
submission_cancel                    POST    login     302    404      404         404        404        404
cohorts                              GET     login     200    200      200         200        200        200
cohorts                              POST    login     405    405      405         405        405        405
cohort                               GET     login     404    404      200         200        404        404
cohort                               POST    login     405    405      405         405        405        405
cohort_csv                           GET     login     404    404      200         200        404        404
cohort_csv                           POST    login     405    405      405         405        405        405
cohort_join_code                     GET     login     404    404      200         200        404        404
cohort_join_code                     POST    login     404    404      302         403        404        404
cohort_analyses                      GET     login     404    404      200         200        404        404
cohort_analyses                      POST    login     405    405      405         405        405        405
cohort_analysis                      GET     login     404    404      200         200        404        404
cohort_analysis                      POST    login     405    405      405         405        405        405
cohort_analysis_csv                  GET     login     404    404      200         200        404        404
cohort_analysis_csv                  POST    login     405    405      405         405        405        405
cohort_item                          GET     login     404    404      200         200        404        404
cohort_item                          POST    login     405    405      405         405        405        405
cohort_beliefs                       GET     login     404    404      200         200        404        404
cohort_beliefs                       POST    login     405    405      405         405        405        405
cohort_beliefs_csv                   GET     login     404    404      200         200        404        404
cohort_beliefs_csv                   POST    login     405    405      405         405        405        405
cohort_belief                        GET     login     404    404      200         200        404        404
cohort_belief                        POST    login     405    405      405         405        405        405
cohort_belief_learners               GET     login     404    404      200         200        404        404
cohort_belief_learners               POST    login     405    405      405         405        405        405
cohort_xlsx                          GET     login     404    404      200         200        404        404
cohort_xlsx                          POST    login     405    405      405         405        405        405
cohort_lms                           GET     login     404    404      200         403        404        404
cohort_lms                           POST    login     404    404      200         403        404        404
cohort_mark                          GET     login     404    404      200         403        404        404
cohort_mark                          POST    login     404    404      302         403        404        404
cohort_exercise_mark                 GET     login     404    404      200         403        404        404
cohort_exercise_mark                 POST    login     404    404      302         403        404        404
cohort_exercises                     GET     login     404    404      200         200        404        404
cohort_exercises                     POST    login     405    405      405         405        405        405
cohort_exercise                      GET     login     404    404      200         200        404        404
cohort_exercise                      POST    login     405    405      405         405        405        405
cohort_roster                        GET     login     404    404      200         200        404        404
cohort_roster                        POST    login     404    404      302         403        404        404
cohort_as_learner                    GET     login     404    404      200         200        404        404
cohort_as_learner                    POST    login     405    405      405         405        405        405
cohort_withdraw                      GET     login     405    405      405         405        405        405
cohort_withdraw                      POST    login     404    404      302         403        404        404
cohort_learner                       GET     login     404    404      200         200        404        404
cohort_learner                       POST    login     405    405      405         405        405        405
cohort_assignments                   GET     login     404    404      200         403        404        404
cohort_assignments                   POST    login     405    405      405         405        405        405
cohort_assignment_add                GET     login     404    404      200         403        404        404
cohort_assignment_add                POST    login     404    404      302         403        404        404
cohort_assignment                    GET     login     404    404      200         403        404        404
cohort_assignment                    POST    login     404    404      302         403        404        404
cohort_time                          GET     login     404    404      200         403        404        404
cohort_time                          POST    login     404    404      302         403        404        404
cohort_sitting                       GET     login     404    404      200         200        404        404
cohort_sitting                       POST    login     405    405      405         405        405        405
cohort_reports                       GET     login     404    404      200         200        404        404
cohort_reports                       POST    login     405    405      405         405        405        405
cohort_report                        GET     login     404    404      200         200        404        404
cohort_report                        POST    login     404    404      302         302        404        404
cohort_submission                    GET     login     404    404      200         200        404        404
cohort_submission                    POST    login     405    405      405         405        405        405
"""

_LINES = [line.split() for line in _TABLE.strip().splitlines()]
assert tuple(_LINES[0][2:]) == PEOPLE

EXPECTED: dict[tuple[str, str], dict[str, str]] = {
    (name, method): dict(zip(PEOPLE, answers, strict=True)) for name, method, *answers in _LINES[1:]
}
NAMES = tuple(dict.fromkeys(name for name, _ in EXPECTED))
# Those that a GET of the owner's instructor or the owner shows as a page.
PAGES = tuple(
    name
    for (name, method), answers in EXPECTED.items()
    if method == "GET" and "200" in (answers["owner"], answers["instructor"])
)
# What takes a POST.
FORMS = tuple(name for (name, method), answers in EXPECTED.items() if method == "POST" and answers["owner"] != "405")
