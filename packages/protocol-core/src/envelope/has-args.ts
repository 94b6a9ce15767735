/** Whether a request has a member `Args`: one that is `undefined` does not travel, and without any there is no `Args`. */
export function hasArgs(args: Readonly<Record<string, unknown>> | undefined): boolean {
  return args !== undefined && Object.values(args).some(value => value !== undefined)
}
