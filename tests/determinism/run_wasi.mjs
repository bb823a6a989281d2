// Runs a WebAssembly program: node run_wasi.mjs PROGRAM ARGUMENT...
// It sees the current folder and nothing else of this machine.

import {readFile} from 'node:fs/promises';
import {WASI} from 'node:wasi';

const [program, ...args] = process.argv.slice(2);
const wasi = new WASI({
  version: 'preview1',
  args: [program, ...args],
  preopens: {'.': '.'},
  returnOnExit: true,
});
const {instance} = await WebAssembly.instantiate(
    await readFile(program), {wasi_snapshot_preview1: wasi.wasiImport});
process.exitCode = wasi.start(instance);
