import { findOnPath } from '../../src/platform/find-on-path.ts'

/** Whether a program is found by its name. */
export const isInstalled = (program: string): boolean => findOnPath(program) !== undefined
