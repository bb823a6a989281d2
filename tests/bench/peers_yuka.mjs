// A scene in Yuka, stepped on demand.
//
//   node peers_yuka.mjs wander|flock AGENTS HALF_WORLD
//
// For each line with a number of steps on standard input: takes them, then
// writes the CPU time of this process and the time of the wall that they took,
// in nanoseconds, on a line.

import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const require = createRequire(`${process.cwd()}/.tools/peers/`);
const yuka = require('yuka');

const [scene, agentsText, halfText] = process.argv.slice(2);
const agents = Number(agentsText);
const half = Number(halfText);
const radius = 5;

// Uniform, the same in each run.
let state = 1;
function uniform() {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
}

function weighted(behavior, weight) {
  behavior.weight = weight;
  return behavior;
}

function newVehicle() {
  const vehicle = new yuka.Vehicle();
  vehicle.position.set((2 * uniform() - 1) * half, 0, (2 * uniform() - 1) * half);
  vehicle.maxSpeed = 6;
  vehicle.maxForce = 12;
  if (scene === 'wander') {
    const heading = 2 * Math.PI * uniform();
    vehicle.velocity.set(Math.cos(heading), 0, Math.sin(heading));
    vehicle.steering.add(new yuka.WanderBehavior(2, 3, 8));
    return vehicle;
  }
  vehicle.velocity.set(3, 0, 1);
  vehicle.updateNeighborhood = true;
  vehicle.neighborhoodRadius = radius;
  vehicle.steering.add(weighted(new yuka.SeparationBehavior(), 1.5));
  vehicle.steering.add(new yuka.AlignmentBehavior());
  vehicle.steering.add(new yuka.CohesionBehavior());
  return vehicle;
}

const manager = new yuka.EntityManager();
if (scene === 'flock') {
  const cells = Math.max(1, Math.floor((2 * half) / radius));
  manager.spatialIndex = new yuka.CellSpacePartitioning(
      2 * half, 1, 2 * half, cells, 1, cells);
}
for (let i = 0; i < agents; ++i) manager.add(newVehicle());

for await (const line of createInterface({ input: process.stdin })) {
  const cpu = process.cpuUsage();
  const wall = process.hrtime.bigint();
  for (let step = Number(line); step > 0; --step) manager.update(1 / 60);
  const wallSpent = process.hrtime.bigint() - wall;
  const spent = process.cpuUsage(cpu);
  console.log(`${1000 * (spent.user + spent.system)} ${wallSpent}`);
}
