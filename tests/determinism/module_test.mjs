// The WebAssembly module as a browser will use it:
//   node --test tests/determinism/module_test.mjs
// with MEANDER_MODULE naming the module and MEANDER_CASE the file that
// lockstep_case_main.cc writes.

import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';

const compiled =
    new WebAssembly.Module(readFileSync(process.env.MEANDER_MODULE));
const script = readFileSync(process.env.MEANDER_CASE, 'utf8')
                   .trimEnd().split('\n').map(line => line.split(' '));
const bytesOf = name =>
    Buffer.from(script.find(([word]) => word === name)[1], 'hex');

class Module {
  constructor() {
    // It imports nothing.
    const instance = new WebAssembly.Instance(compiled, {});
    this.core = instance.exports;
    this.core._initialize();
  }

  // The bytes that the module has at an address.
  bytes(address, size) {
    return Buffer.from(this.core.memory.buffer, address, size);
  }

  // Calls with (address, size) of a copy of the bytes.
  lend(bytes, call) {
    const room = this.core.meander_allocate(bytes.length);
    assert.notEqual(room, 0);
    this.bytes(room, bytes.length).set(bytes);
    const result = call(room, bytes.length);
    this.core.meander_release(room);
    return result;
  }

  open(snapshot) {
    return this.lend(snapshot, (at, size) => this.core.meander_open(at, size));
  }

  apply(world, record) {
    return this.lend(
        record, (at, size) => this.core.meander_apply(world, at, size));
  }

  error(world) {
    const at = this.core.meander_error(world);
    const rest = this.bytes(at, this.core.memory.buffer.byteLength - at);
    return rest.subarray(0, rest.indexOf(0)).toString('utf8');
  }

  refuses(bytes, reason) {
    const world = this.open(bytes);
    assert.match(this.error(world), reason);
    assert.equal(this.core.meander_step(world), 0);
    assert.equal(this.core.meander_agent_count(world), 0);
    this.core.meander_close(world);
  }
}

// A hash as JavaScript has it: a signed integer.
const hashOf = text => BigInt.asIntN(64, BigInt(text));

function follow(module) {
  const {core} = module;
  const world = module.open(bytesOf('snapshot'));
  assert.equal(module.error(world), '');
  const did = {record: 0, step: 0, column: 0};
  for (const [word, first, second] of script) {
    if (word === 'record') {
      const taken = module.apply(world, Buffer.from(first, 'hex'));
      assert.equal(taken, 1, module.error(world));
    } else if (word === 'step') {
      assert.equal(core.meander_step(world), 1);
      assert.equal(core.meander_tick(world), BigInt(first));
      assert.equal(core.meander_hash(world), hashOf(second), `tick ${first}`);
    } else if (word === 'column') {
      const wanted = Buffer.from(second, 'hex');
      const at = core.meander_column(world, Number(first));
      assert.deepEqual(module.bytes(at, wanted.length), wanted, first);
      assert.equal(wanted.length % core.meander_agent_count(world), 0);
    } else {
      continue;
    }
    did[word] += 1;
  }
  core.meander_close(world);
  return did;
}

test('needs nothing of its host', () => {
  assert.deepEqual(WebAssembly.Module.imports(compiled), []);
});

test('follows a native world bit for bit', () => {
  const did = follow(new Module());
  assert.ok(did.record >= 5 && did.step >= 300 && did.column === 9,
            JSON.stringify(did));
});

test('refuses a snapshot that was cut', () => {
  const module = new Module();
  const snapshot = bytesOf('snapshot');
  module.refuses(snapshot.subarray(0, 0), /^the snapshot is too short/);
  for (let size = 1; size < snapshot.length; size += 1009) {
    module.refuses(snapshot.subarray(0, size), /^the snapshot /);
  }
});

test('refuses a snapshot with a flipped bit', () => {
  const module = new Module();
  const snapshot = bytesOf('snapshot');
  for (let at = 0; at < snapshot.length; at += at < 200 ? 1 : 1009) {
    const changed = Buffer.from(snapshot);
    changed[at] ^= 1 << at % 8;
    module.refuses(changed, /^the snapshot /);
  }
});

test('names the version of a snapshot of another one', () => {
  new Module().refuses(
      bytesOf('another_version'),
      /^the snapshot is of simulation version \d+; this build runs version \d+$/);
});

test('refuses a record that was cut or comes twice', () => {
  const module = new Module();
  const world = module.open(bytesOf('snapshot'));
  const record = bytesOf('record');
  for (let size = 0; size < record.length; ++size) {
    assert.equal(module.apply(world, record.subarray(0, size)), 0);
    assert.notEqual(module.error(world), '');
  }
  assert.equal(module.apply(world, record), 1, module.error(world));
  assert.equal(module.apply(world, record), 0);
  assert.match(module.error(world), /^sequence is 6; it must be 7$/);
  module.core.meander_close(world);
});

test('gives back what it took', () => {
  const module = new Module();
  const {memory} = module.core;
  const use = () => {
    follow(module);
    module.refuses(bytesOf('snapshot').subarray(1), /^the snapshot /);
  };
  use();
  const size = memory.buffer.byteLength;
  for (let i = 0; i < 20; ++i) use();
  for (let i = 0; i < 200; ++i) {
    module.core.meander_close(module.open(bytesOf('snapshot')));
  }
  assert.equal(memory.buffer.byteLength, size);
});
