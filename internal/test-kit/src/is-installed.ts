// @boundaries-ignore: tests of that package use this one, so it cannot be a dependency
import { findOnPath } from '../../../packages/window-engine/src/platform/find-on-path.ts'

/** Whether a program is found by its name. */
export const isInstalled = (program: string): boolean => findOnPath(program) !== undefined
