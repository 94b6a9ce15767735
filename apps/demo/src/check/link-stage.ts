/** Who posts visits, and what comes of them: a browser with the journal, or requests alone. */
export interface LinkStage extends AsyncDisposable {
  /** CustomIds of the journal's patients. */
  patients(): Promise<readonly string[]>
  /** Opens a patient in the service; says what the service then shows. */
  visit(patient: string): Promise<'log-in' | 'in-focus'>
  /** Logs in as the employee, and confirms the link. */
  confirm(): Promise<void>
  /** CustomId of the person in focus. */
  personInFocus(): Promise<string | null>
  /** Reloads the last page; its method. Only in a browser. */
  reload?(): Promise<string | undefined>
  /** Body of the last post. */
  lastPost(): string
  /** Gives the person in focus the first workout of the library; its name. */
  giveWorkout(): Promise<string>
  /** Asks for “my workouts” as a patient; the address of the page that asks who that is. */
  askForMyWorkouts(): Promise<string>
  /** Logs in there by an identity number; the names of the workouts. */
  logInAtEId(identityNumber: string): Promise<readonly string[]>
  /** Logs out; the status of a later question for workouts. */
  logOutOfMyWorkouts(): Promise<number>
}
