/** What one platform knows of the paths by which launches name files. */
export interface LaunchPathPlatform {
  /** The path of a file that is named as seen from a directory. One that it cannot make absolute stays as it is. */
  resolve(workingDirectory: string, name: string): string
  /** Whether a path can lead to a file at all, as far as it can be told by its text. */
  isFilePath(path: string): boolean
}
