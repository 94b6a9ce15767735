import type { Employee } from '../auth/employee.ts'

/** What the service keeps with a request. */
export interface AppEnv {
  Variables: { employee: Employee }
}
