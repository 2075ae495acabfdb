# cudamigrate with the type check and HIP's headers in it. `docker build -t cudamigrate .`, then
# `docker run --rm -v "$PWD:/src:ro" cudamigrate scan /src`. Any builder of OCI images takes this file.
ARG PYTHON=python:3.12-slim
FROM ${PYTHON} AS wheel
WORKDIR /build
COPY pyproject.toml README.md LICENSE ./
COPY migrate migrate
COPY rules rules
COPY docs/cudamigrate.1 docs/cudamigrate.1
RUN pip wheel --no-cache-dir --no-deps -w /wheels .

FROM ${PYTHON}
# The type check reads the C library's headers, and `verify --run` compiles for the emulated GPU.
RUN apt-get update && apt-get install -y --no-install-recommends git g++ && rm -rf /var/lib/apt/lists/*
COPY --from=wheel /wheels /wheels
RUN pip install --no-cache-dir "$(echo /wheels/*.whl)[clang]" && rm -r /wheels
RUN useradd --create-home user && git config --system --add safe.directory '*'
USER user
RUN cudamigrate headers install
WORKDIR /src
ENTRYPOINT ["cudamigrate"]
CMD ["--help"]
