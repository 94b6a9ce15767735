import type { Database } from '../database/tables.ts'

const hourMs = 60 * 60 * 1000

/** Whether it is this day somewhere: zones are 12 hours behind UTC to 14 ahead of it. */
export function isTodaySomewhere(day: string, now = Date.now()): boolean {
  const dayAt = (ms: number) => new Date(ms).toISOString().slice(0, 10)
  return day >= dayAt(now - 12 * hourMs) && day <= dayAt(now + 14 * hourMs)
}

/** Notes that a workout was done on a day, or takes it back. It can be repeated: a day is noted once. */
export async function setDone(
  database: Database,
  workoutId: number,
  day: string,
  isDone: boolean,
): Promise<void> {
  const query = isDone
    ? database
        .insertInto('workout_days')
        .values({ workout_id: workoutId, day })
        .onConflict(conflict => conflict.columns(['workout_id', 'day']).doNothing())
    : database.deleteFrom('workout_days').where('workout_id', '=', workoutId).where('day', '=', day)
  await query.execute()
}

/** Most days that are told of a workout: the last two weeks in each zone. */
const toldDays = 15

/** The last days on which each of some workouts was done, newest first. */
export async function doneDaysOf(database: Database, workoutIds: readonly number[]) {
  const rows =
    workoutIds.length === 0
      ? []
      : await database
          .selectFrom('workout_days')
          .select(['workout_id', 'day'])
          .where('workout_id', 'in', workoutIds)
          .orderBy('day', 'desc')
          .execute()
  const days = Map.groupBy(rows, row => row.workout_id)
  return (id: number): readonly string[] => (days.get(id) ?? []).slice(0, toldDays).map(({ day }) => day)
}
