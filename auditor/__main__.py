"""`python -m auditor` is `auditor`."""

from auditor.cli import main

if __name__ == "__main__":
    main()
