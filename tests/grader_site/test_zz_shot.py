import pytest, re, pathlib
from tests.judge.benches import bench, judged, switched, wrong
from tests.grader_site.answers import page_of
from tests.factories import make_finished
from django.test import Client
pytestmark = pytest.mark.django_db
CASES={"pair":("multi-head-attention",lambda: switched({"scale":"none","over":"queries"},"multi-head-attention")),
 "norm":("layer-norm",lambda: wrong("over-tokens","layer-norm")),
 "back":("attention-backward",lambda: wrong("no-scale-for-queries","attention-backward")),
 "minus":("causal-attention",lambda: wrong("minus-ten","causal-attention"))}
@pytest.mark.parametrize("name",list(CASES))
def test_shot(name, client, learner):
    slug,src=CASES[name]
    v=judged(src(),slug=slug)
    m=v.to_message(); m.pop("checks",None); m.pop("examples",None)
    s=make_finished(user=learner,exercise=slug,evidence=m,misconception_ids=[])
    pathlib.Path(f"/tmp/w/e5a-tmp/shot-{name}.html").write_text(page_of(client,s))
