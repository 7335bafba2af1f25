# docker build -t gamedsl . && docker run --rm gamedsl solve tic_tac_toe
# The playground, on the machine's own network: docker run --rm --network host gamedsl playground --no-browser
FROM node:22-slim AS node

FROM python:3.13-slim AS build
COPY --from=node /usr/local/bin/node /usr/local/bin/node
COPY --from=node /usr/local/lib/node_modules /usr/local/lib/node_modules
RUN ln -s /usr/local/lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
WORKDIR /source
COPY . .
RUN pip install --no-cache-dir lark platformdirs && python web/build.py && pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

FROM python:3.13-slim
RUN --mount=from=build,source=/wheels,target=/wheels pip install --no-cache-dir /wheels/*.whl
RUN useradd --create-home player
USER player
WORKDIR /home/player
ENTRYPOINT ["gamedsl"]
CMD ["--help"]
