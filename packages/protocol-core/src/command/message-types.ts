// Generated from the schemas by `npm run schemas`.

/** Arguments of `close`. */
export interface CloseArgs {
  /** False only exits, without a sign-out at the service. Default true. */
  signout?: boolean | undefined
  /** True tells the user that a new version comes, and waits for up to two minutes while the web app has an unsaved form. Default false. */
  forUpdate?: boolean | undefined
}

/** Arguments of `clearperson`. */
export interface ClearArgs {
  /** Obsolete; interpreted as customId, to which it loses. */
  id?: string | undefined
  /** Id of the person in the partner’s system. */
  customId?: string | undefined
  /** Service user id; decides when both are given. */
  userId?: number | undefined
}

/** Arguments of `getworkoutsforclient`. */
export interface WorkoutsArgs {
  /** Id of the person in the partner’s system; this or userId is needed. */
  customId?: string | undefined
  /** Service user id; decides when both are given. */
  userId?: number | undefined
  /** A date, yyyy-MM-dd preferred; only workouts newer than it are returned. */
  from?: string | undefined
}

/** Arguments of `openworkout`. */
export interface OpenWorkoutArgs {
  /** An id returned by getworkoutsforclient; 0 or less opens nothing. */
  id: number
}

/** Arguments of `getlistofusers`. */
export interface UsersArgs {
  /** Only users with this id in the partner’s system. */
  customId?: string | undefined
}

/** Arguments of `setcustomid`. */
export interface CustomIdArgs {
  /** Service user id, as getlistofusers returns it. */
  userId: number
  /** Id of the person in the partner’s system. */
  customId: string
}

/** Arguments of `queryexercises`. */
export interface QueryArgs {
  /** What to search for. */
  text: string
}

/** One user as `getlistofusers` returns it. It may have further members. */
export interface User {
  [member: string]: unknown
  /** Service user id. */
  id: number
  /** Id of the person in the partner’s system; not unique. */
  customId?: string | null | undefined
  /** First name, or names. */
  firstname?: string | null | undefined
  /** Last name. */
  lastname?: string | null | undefined
  /** E-mail address. */
  email?: string | null | undefined
  /** YYYY-MM-DD. */
  dateOfBirth?: string | null | undefined
}

/** How often, how long or with which load an exercise is done. */
export interface ExerciseData {
  [member: string]: unknown
  /** Such as sets. */
  key?: string | null | undefined
  /** Text in the classic mode. */
  value?: string | number | null | undefined
  /** Such as s or kg. */
  unit?: string | null | undefined
}

/** One exercise of a workout. It may have further members. */
export interface Exercise {
  [member: string]: unknown
  /** The web app’s own id. */
  id?: number | null | undefined
  /** As the web app shows it. */
  name?: string | null | undefined
  /** How often, how long and with which load: lists of key, value, unit. */
  data?: ExerciseData[][] | null | undefined
}

/** One workout as `getworkoutsforclient` returns it. It may have further members. */
export interface Workout {
  [member: string]: unknown
  /** To be given to openworkout. */
  id: number
  /** As the web app shows it. */
  name?: string | null | undefined
  /** As the web app shows it. */
  description?: string | null | undefined
  /** ISO 8601 date and time. */
  lastChangedAt?: string | null | undefined
  /** Service user id of who made it. */
  owner?: number | null | undefined
  /** Service user id of whom it is for. */
  executor?: number | null | undefined
  /** Name of who made it. */
  ownerName?: string | null | undefined
  /** Name of whom it is for. */
  executorName?: string | null | undefined
  /** How many exercises it has. */
  exerciseCount?: number | null | undefined
  /** Its exercises: id, name, data (lists of key, value, unit). */
  exercises?: Exercise[] | null | undefined
}
