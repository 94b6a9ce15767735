// What the benchmarks start of the demo; the rest is its own.
export { startDemo } from './demo/show-demo.ts'
export { employees, patients } from './journal/patients.ts'
