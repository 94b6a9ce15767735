/** Name of the page's handler for each command that the web app carries out. */
export const handlerNames = {
  selectperson: 'selectPerson',
  queryexercises: 'queryExercises',
  queryworkouts: 'queryWorkouts',
  openworkout: 'openWorkout',
  getworkoutsforclient: 'getWorkoutsForClient',
  getlistofusers: 'getListOfUsers',
  setcustomid: 'setCustomId',
} as const

/** Command that the web app carries out. */
export type HandledCommandName = keyof typeof handlerNames

/** Name of the page's handler that ends the user's session; no command of a partner calls it. */
export const signOutHandler = 'signOut'

/** Name of a handler of the page. */
export type HandlerName = (typeof handlerNames)[HandledCommandName] | typeof signOutHandler
