#!/usr/bin/env bash
# Runs the image and checks what the README promises. See --help.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

usage() {
  cat <<'TEXT'
usage: tests/image/check.sh STORAGE RUN

Runs the image "meander" from podman's folders STORAGE and RUN, with no option
but those that take rights away, and checks that it
  is small, holds no compiler, and its programs start,
  runs as somebody who is not root and has no capability,
  needs to write nowhere,
  is healthy, by its own HEALTHCHECK,
  is reached from outside on port 50051 and gives the README's hash,
  ends with 0 on SIGTERM.
Takes the network of its shell for itself: call it by `unshare --net`.
TEXT
}

case ${1:-} in
  -h | --help) usage; exit 0 ;;
esac
[ $# -eq 2 ] || { usage >&2; exit 2; }
podman() {
  command podman --root "$storage" --runroot "$run" --tmpdir "$run/tmp" \
    --runtime runc "$@"
}
storage=$1 run=$2
name=meander-check
# Not loopback: an address that documentation may use, here on this machine.
address=192.0.2.1

# check WHAT COMMAND...: whether the command succeeds; shows why not.
failures=0
check() {
  local what=$1 output
  shift
  if output=$("$@" 2>&1); then
    printf '   yes  %s\n' "$what"
  else
    printf '   NO   %s\n%s\n' "$what" "$output"
    failures=$((failures + 1))
  fi
}

# inside COMMAND...: in the running container.
inside() { podman exec "$name" "$@"; }
# configured TEMPLATE: what the image says of itself.
configured() { podman image inspect --format "$1" meander; }

megabytes() {
  podman image inspect --format '{{.Size}}' "$1" |
    awk '{printf "%d", $1 / 1000000}'
}

is_small() {
  local whole base
  whole=$(megabytes meander)
  base=$(megabytes debian:bookworm-slim)
  printf '   %d MB, %d of them the base\n' "$whole" "$base" >&3
  [ $((whole - base)) -le 40 ]
}

holds_no_compiler() {
  inside sh -c '! command -v g++ && ! command -v cmake && ! command -v python3'
}

programs_start() {
  # shellcheck disable=SC2016  # the inner shell expands it
  inside sh -c '
    for program in /usr/local/bin/*; do
      "$program" --version || exit 1
    done'
}

has_no_rights() {
  local status=/proc/$pid/status
  grep -E '^(Uid|CapPrm)' "$status"
  [[ $(configured '{{.User}}') =~ ^[1-9][0-9]*:[1-9][0-9]*$ ]] &&
    grep -qP '^Uid:(\t[1-9][0-9]*){4}$' "$status" &&
    grep -qP '^CapPrm:\t0+$' "$status"
}

can_write_nowhere() {
  local folder
  # A container that is gone would write nowhere either.
  inside true || return 1
  for folder in / /tmp /usr/local/bin /var/tmp; do
    ! inside touch "$folder/file" || return 1
  done
}

is_healthy() {
  local probe
  mapfile -t probe < <(configured \
    '{{range .HealthCheck.Test}}{{println .}}{{end}}' | sed '/^$/d')
  [ "${probe[0]}" = CMD ] || return 1
  probe=("${probe[@]:1}")
  # It may still be starting.
  for _ in $(seq 50); do
    ! inside "${probe[@]}" >/dev/null 2>&1 || return 0
    sleep 0.1
  done
  inside "${probe[@]}"
}

says_that_it_is_open() {
  podman logs "$name"
  podman logs "$name" 2>&1 | grep -q 'whoever reaches it'
}

is_reached() {
  local golden hash
  golden=$(grep -oP '[0-9a-f]{16}(?=  seed 42, stepped by hand)' README.md) ||
    return 1
  hash=$(/usr/bin/python3 tests/image/client.py "$address:50051") || return 1
  printf 'README: %s, image: %s\n' "$golden" "$hash"
  [ -n "$golden" ] && [ -n "$hash" ] && [ "$hash" = "$golden" ]
}

ends_well() {
  [ "$(configured '{{.Config.StopSignal}}')" = SIGTERM ] || return 1
  # It is killed when it takes longer.
  podman stop --time 20 "$name"
  [ "$(podman inspect --format '{{.State.ExitCode}}' "$name")" = 0 ]
}

ip link set lo up
ip address add "$address/32" dev lo
trap 'podman rm --force "$name" >/dev/null 2>&1 || true' EXIT
podman run --detach --name "$name" --network host --no-healthcheck \
  --ulimit nofile=4096:4096 --ulimit nproc=4096:4096 \
  --read-only --read-only-tmpfs=false --cap-drop all \
  --security-opt no-new-privileges meander >/dev/null
pid=$(podman inspect --format '{{.State.Pid}}' "$name")

exec 3>&1
check 'is healthy by its HEALTHCHECK' is_healthy
check 'says that it is open' says_that_it_is_open
check 'is small' is_small
check 'holds no compiler' holds_no_compiler
check 'has programs that start' programs_start
check 'is somebody without rights' has_no_rights
check 'needs to write nowhere' can_write_nowhere
check "is reached from outside, with the README's hash" is_reached
check 'ends with 0 on SIGTERM' ends_well
[ "$failures" -eq 0 ]
