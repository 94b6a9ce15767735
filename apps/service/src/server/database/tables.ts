import type { Generated, Kysely, Selectable, Updateable } from 'kysely'

/** A point in time of the log-in library: ISO 8601 in the embedded database, a date in PostgreSQL. */
type LogInTime = string | Date

/** Every table of the service; see `schema.sql`. */
export interface Tables {
  organizations: {
    id: Generated<number>
    name: string
    created_at: string
  }
  /** A log-in of the service: an employee of one organization. Columns are named as the log-in library names them. */
  auth_users: {
    id: string
    name: string
    email: string
    /** 0 or 1 in the embedded database. */
    emailVerified: number | boolean
    image: string | null
    createdAt: LogInTime
    updatedAt: LogInTime
    organizationId: number
  }
  /** Programs know employees by an integer, the log-in library by a text. */
  employee_numbers: {
    id: Generated<number>
    account_id: string
  }
  auth_sessions: {
    id: string
    token: string
    userId: string
    expiresAt: LogInTime
    ipAddress: string | null
    userAgent: string | null
    createdAt: LogInTime
    updatedAt: LogInTime
    /** `employee_digest` of the link that made it; null after a log-in with a password. */
    linkId: string | null
    /** The partner of that link. */
    partnerId: string | null
  }
  frame_sessions: Tables['auth_sessions']
  /** A log-in of a consumer; the columns that the service itself reads. */
  consumer_users: {
    id: string
    createdAt: string
  }
  consumer_sessions: {
    userId: string
    expiresAt: string
  }
  persons: {
    id: Generated<number>
    organization_id: number
    /** The shown identifier: the first partner's, or the one that was typed since. Not unique on purpose. */
    custom_id: string | null
    firstname: string | null
    middlename: string | null
    lastname: string | null
    date_of_birth: string | null
    ssn: string | null
    diagnosis: string | null
    gender: string | null
    gender_as_sent: string | null
    email: string | null
    mobile: string | null
    phone_home: string | null
    phone_work: string | null
    address: string | null
    zipcode: string | null
    location: string | null
    country: string | null
    source: string | null
    /** JSON array of profile-data entries, exactly as sent. */
    profile_data: string | null
    /** JSON object: who wrote each field, and when. */
    origins: string | null
    /** Words of name and identifiers, folded for search, separated by blanks. */
    search_text: string
    /** The CustomId, or its digest if it is too long for an index. */
    custom_id_key: string | null
    ssn_key: string | null
    /** `sortKeyOf` the name, cut off; lists are sorted by it. */
    sort_name: string
    /** Normalized identity number, by which the consumer app finds the person. */
    identity_key: string | null
    created_at: string
    updated_at: string
  }
  /** Whom an employee worked with last; a few for each. */
  recent_persons: {
    account_id: string
    person_id: number
    at: string
  }
  /** The CustomId of a person at a partner; unique for each partner. */
  person_custom_ids: {
    organization_id: number
    partner_id: string
    custom_id_digest: string
    person_id: number
  }
  exercises: {
    id: Generated<number>
    /** Stable name in the content; later versions of the content find their exercise by it. */
    slug: string
    name: string
    /** JSON array of words. */
    muscles: string
    equipment: string
    level: string
    instruction: string
  }
  workouts: {
    id: Generated<number>
    slug: string | null
    /** Null: part of the library that every organization sees. */
    organization_id: number | null
    /** The person who got it; null for the library. */
    person_id: number | null
    /** The workout of the library that this one is a copy of. */
    given_from: number | null
    /** The intent that gave it; a repeated request with the same key gives no second copy. */
    give_key: string | null
    name: string
    description: string
    /** Name of the employee who gave it, or of the library. */
    owner: string
    /** Their row of `employee_numbers`; null for the library. */
    owner_number: number | null
    created_at: string
    updated_at: string
    /** When the gift was undone. The row stays, so that a late repetition gives nothing. */
    withdrawn_at: string | null
  }
  workout_exercises: {
    workout_id: number
    position: number
    exercise_id: number
    sets: number
    reps: number | null
    seconds: number | null
    rest_seconds: number
  }
  workout_days: {
    id: Generated<number>
    workout_id: number
    /** `YYYY-MM-DD` in the patient's zone. */
    day: string
  }
  /** The account that a partner's employee signs in to. The confirmed first visit makes it. */
  partner_employees: {
    /** `employeeDigestOf` the next three columns. */
    employee_digest: string
    partner_id: string
    partner_organization_id: string
    employee_id: string
    account_id: string
    linked_at: string
    /** When the account's owner dismissed its notice; null before. */
    seen_at: string | null
    /** Names for people, as sent for the visit that made the link. */
    organization_name: string | null
    employee_name: string | null
    /** Id of the session that confirmed it, which needs no notice. */
    confirmed_in: string | null
    /** The request that brought the partner's last end; null before the first. */
    last_end: string | null
  }
  /** The organizations whose accounts the employees of a partner's organization may be linked to. */
  partner_organizations: {
    /** SHA-256 of the partner's id and its organization's. */
    organization_digest: string
    organization_id: number
    partner_id: string
    partner_organization_id: string
    bound_at: string
  }
  /** A used token; kept until its age alone refuses it. */
  used_tokens: {
    /** The partner's id and the token's `jti`. */
    token_key: string
    /** The request that used it. Its own repetition is not a replay. */
    request_id: string
    /** Milliseconds since 1970. */
    expires_at: number
  }
  /** A verified payload that waits for its log-in or for the opening of its one-time address. */
  held_deliveries: {
    /** SHA-256 of the handle; the service does not store the handle. */
    handle_digest: string
    /** `log-in` or `open`. */
    purpose: string
    partner_id: string
    /** `employeeDigestOf` its employee. */
    employee_digest: string
    delivery: string
    /** Milliseconds since 1970. */
    expires_at: number
  }
  /** An event of the partner link. Contains no name, identity number, contact or token. */
  audit_entries: {
    id: Generated<number>
    at: string
    request_id: string
    event: string
    outcome: string
    partner_id: string
    /** The partner's id of the organization. */
    organization_id: string | null
    account_id: string | null
    employee_digest: string | null
  }
  /** The row that the health check writes. */
  health_checks: {
    name: string
    at: string
    filler: string
  }
  /** Counts of log-ins, wrong passwords and partners' posts. */
  rate_counts: {
    /** SHA-256, so that no address is stored. */
    key_digest: string
    count: number
    /** Milliseconds since 1970; afterwards the count starts again. */
    ends_at: number
  }
}

/** The database, or one transaction on it. */
export type Database = Kysely<Tables>

export type PersonRow = Selectable<Tables['persons']>
export type PersonChanges = Updateable<Tables['persons']>
export type ExerciseRow = Selectable<Tables['exercises']>
