# cudamigrate with the type check and HIP's headers in it. `docker build -t cudamigrate .`, then
# `docker run --rm -v "$PWD:/src:ro" cudamigrate scan /src`. Any builder of OCI images takes this file.
FROM python:3.12-slim AS wheel
WORKDIR /build
COPY pyproject.toml README.md LICENSE ./
COPY migrate migrate
COPY rules rules
COPY docs/cudamigrate.1 docs/cudamigrate.1
RUN pip wheel --no-cache-dir --no-deps -w /wheels .

FROM python:3.12-slim
RUN apt-get update && apt-get install -y --no-install-recommends git && rm -rf /var/lib/apt/lists/*
COPY --from=wheel /wheels /wheels
RUN pip install --no-cache-dir "$(echo /wheels/*.whl)[clang]" && rm -r /wheels
RUN useradd --create-home user && git config --system --add safe.directory '*'
USER user
RUN cudamigrate headers install
WORKDIR /src
ENTRYPOINT ["cudamigrate"]
CMD ["--help"]
