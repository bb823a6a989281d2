"""Generated message and service modules, made by protoc on first use.

    from stubs import grpc, world_pb2, world_service_pb2_grpc

They are kept in build/python beside the repository's other build output and
made anew when a .proto file changes. Needs Debian's python3-grpcio,
python3-protobuf, protobuf-compiler and protobuf-compiler-grpc.
"""

import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROTO = ROOT / "proto"
OUT = ROOT / "build" / "python"


def _generate():
    protos = sorted((PROTO / "meander").rglob("*.proto"))
    stamp = OUT / "stamp"
    newest = max(proto.stat().st_mtime for proto in protos)
    if stamp.exists() and stamp.stat().st_mtime >= newest:
        return
    protoc = shutil.which("protoc")
    plugin = shutil.which("grpc_python_plugin")
    if not protoc or not plugin:
        sys.exit("protoc or grpc_python_plugin is missing: run .ci/setup build")
    OUT.mkdir(parents=True, exist_ok=True)
    subprocess.run(
        [protoc, f"--proto_path={PROTO}", f"--python_out={OUT}",
         f"--grpc_out={OUT}", f"--plugin=protoc-gen-grpc={plugin}",
         *map(str, protos)],
        check=True)
    stamp.touch()


_generate()
sys.path.insert(0, str(OUT))

try:
    import grpc  # noqa: E402
except ImportError:
    sys.exit("Python's grpc module is missing: run .ci/setup build, and use "
             "/usr/bin/python3")
from meander.rpc.v1 import error_details_pb2  # noqa: E402,F401
from meander.v1 import (  # noqa: E402,F401
    agent_pb2, archetype_pb2, behavior_pb2, command_pb2, command_service_pb2,
    command_service_pb2_grpc, frame_pb2, query_service_pb2,
    query_service_pb2_grpc, stream_service_pb2, stream_service_pb2_grpc,
    vector_pb2, world_pb2, world_service_pb2, world_service_pb2_grpc)


def explain(error):
    """One line for a grpc.RpcError: code and the server's own words."""
    return f"{error.code().name}: {error.details()}"
