"""Loading a course needs neither Django nor anything heavy."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_course_is_loaded_without_django_numpy_or_torch():
    program = (
        "import sys; from pathlib import Path; from courseware.concepts.course import load_course; "
        "from courseware.concepts.faults import Faults; load_course(Path('courseware/content'), Faults()); "
        "import courseware.drawing.heat_map; print(sorted({'django', 'celery', 'numpy', 'torch'} & set(sys.modules)))"
    )

    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"
