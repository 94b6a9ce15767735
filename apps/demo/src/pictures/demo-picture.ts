import { buildArguments } from '@service-link/cli-args'
import { eventually, expectEqual } from '../check/expect.ts'
import type { PictureStage } from './picture-stage.ts'

/** The whole screen, and the wrapper's window alone: an exercise of a search that a launch brought. */
export async function takeDemo({ camera, page, launch, wrapperArea }: PictureStage): Promise<void> {
  const { exitCode, errors } = await launch(...buildArguments({ queryExercises: 'squat', wait: true }))
  expectEqual(`exit code of the search (${errors.trim()})`, exitCode, 0)
  // Not by the mouse: over a link the browser shows its address in the corner.
  await page.read(`document.querySelector('[data-testid="exercise-results"] a')?.click()`)
  await eventually('The exercise', () => page.text('exercise-detail'))
  await page.settle()
  await camera.take('demo')
  await camera.take('wrapper-window', wrapperArea)
}
