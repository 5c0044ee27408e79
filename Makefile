# Each command sets up .venv once. Another Python: make test PYTHON=python3.12
PYTHON ?= python3
ARGS ?=
COURSEKIT = .venv/bin/coursekit

.DEFAULT_GOAL := help
.PHONY: help setup demo test lab check bench lint format release clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: ## Set up .venv, once
	@$(PYTHON) lib/bootstrap.py

demo: setup ## Release the lessons, take in a sample class, grade it, write feedback
	@$(COURSEKIT) demo $(ARGS)

test: setup ## Run the tests; make test ARGS="-k predict" runs some
	@$(COURSEKIT) test $(ARGS)

lab: setup ## Open the released lessons in JupyterLab as a student
	@$(COURSEKIT) lab $(ARGS)

check: setup ## Check the source notebooks; make check ARGS=perceptron checks one
	@$(COURSEKIT) check $(ARGS)

bench: setup ## Time grading against stock nbgrader, in one run
	@.venv/bin/python benchmarks/grading.py $(ARGS)

lint: setup ## Check the style of Python files and source notebooks
	@$(COURSEKIT) lint $(ARGS)

format: setup ## Format Python files and source notebooks
	@$(COURSEKIT) format $(ARGS)

release: setup ## Write release/ from source/; make release ARGS=perceptron writes one
	@$(COURSEKIT) release $(ARGS)

# Needs no set-up of its own: without .venv there is little to remove.
clean: ## Remove build/ and caches; ARGS=--all also .venv and the notebooks of make lab
	@$(PYTHON) lib/bootstrap.py
	@$(COURSEKIT) clean $(ARGS)
