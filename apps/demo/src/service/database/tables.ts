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
  /** Where an employee is signed in. */
  auth_sessions: {
    id: string
    token: string
    userId: string
    expiresAt: LogInTime
    ipAddress: string | null
    userAgent: string | null
    createdAt: LogInTime
    updatedAt: LogInTime
    /** `employee_digest` of the link that made it; null: a log-in with a password did. */
    linkId: string | null
  }
  /** Where an employee is signed in in a partner's frame. */
  frame_sessions: Tables['auth_sessions'] & {
    partnerId: string
  }
  /** Somebody logged in to the consumer app; the columns that the service itself asks for. */
  consumer_users: {
    id: string
    createdAt: string
  }
  /** Where a consumer is logged in; the columns that the service itself asks for. */
  consumer_sessions: {
    userId: string
    expiresAt: string
  }
  /** A person: the one model of protocol-core, with the organization it belongs to. */
  persons: {
    id: Generated<number>
    organization_id: number
    /** The identifier that is shown, of whichever partner was first, or as it was typed since; deliberately not unique. */
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
    /** Words of name and identifiers, folded for search, with blanks between. */
    search_text: string
    /** The CustomId, or its digest where it is too long for an index. */
    custom_id_key: string | null
    /** The identity number, likewise. */
    ssn_key: string | null
    /** Folded name, last name first, cut: the order of lists. */
    sort_name: string
    /** Identity number by which the consumer app finds the person, in the form in which two are compared. */
    identity_key: string | null
    created_at: string
    updated_at: string
  }
  /** Under which CustomId a partner knows a person: of one partner it is one person's. */
  person_custom_ids: {
    organization_id: number
    partner_id: string
    /** SHA-256. */
    custom_id_digest: string
    person_id: number
  }
  exercises: {
    id: Generated<number>
    /** Stable name in the content; a later version of the content finds its exercise by it. */
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
    /** Stable name in the content; null for a workout that an employee made. */
    slug: string | null
    /** Null: part of the library that every organization sees. */
    organization_id: number | null
    /** The person it was given to; null for the library. */
    person_id: number | null
    name: string
    description: string
    /** Name of the employee who gave it, or of the library. */
    owner: string
    created_at: string
    updated_at: string
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
  /** Which account a partner's employee signs in to: made by the first visit's log-in. */
  partner_employees: {
    /** `employeeDigestOf` the three that follow. */
    employee_digest: string
    partner_id: string
    partner_organization_id: string
    employee_id: string
    account_id: string
    linked_at: string
    /** When the account's owner was told of it; null: not yet. */
    seen_at: string | null
  }
  /** To accounts of which organizations employees of a partner's organization may be linked. */
  partner_organizations: {
    /** SHA-256 of the partner's id and its organization's. */
    organization_digest: string
    /** The organization of the service. */
    organization_id: number
    partner_id: string
    partner_organization_id: string
    bound_at: string
  }
  /** A token that was used; kept until it would be refused for its age anyway. */
  used_tokens: {
    /** The partner's id and the token's own. */
    token_key: string
    /** The request that used it, and may ask for it again. */
    request_id: string
    /** Milliseconds since 1970. */
    expires_at: number
  }
  /** A verified payload that waits for its log-in, or for its one-time address to be opened. */
  held_deliveries: {
    /** SHA-256 of the handle; the handle itself is only in the visitor's hands. */
    handle_digest: string
    /** `log-in` or `open`. */
    purpose: string
    /** JSON. */
    delivery: string
    /** Milliseconds since 1970. */
    expires_at: number
  }
  /** What happened on the partner link. Holds no name, no identity number, no contact and no token. */
  audit_entries: {
    id: Generated<number>
    /** ISO 8601. */
    at: string
    request_id: string
    event: string
    outcome: string
    partner_id: string
    /** As the partner calls it. */
    organization_id: string | null
    account_id: string | null
    /** SHA-256 of partner, organization and employee. */
    employee_digest: string | null
  }
  /** How many posts of a partner were let through in a minute, or are set aside for a process. */
  partner_posts: {
    partner_id: string
    /** Minutes since 1970. */
    minute: number
    count: number
  }
  /** A registered partner. */
  partners: {
    id: string
    /** JSON; its secrets are sealed. */
    registration: string
    updated_at: string
  }
  /** A number that grows with each change of something. */
  partner_versions: {
    name: string
    version: number
  }
  /** How often something was asked for; of an address and a path in the log-in. */
  log_in_counts: {
    /** SHA-256: addresses are not written down. */
    key_digest: string
    count: number
    /** Milliseconds since 1970; from then on it counts from 1 again. */
    ends_at: number
  }
}

/** The database, or one transaction on it. */
export type Database = Kysely<Tables>

export type PersonRow = Selectable<Tables['persons']>
export type PersonChanges = Updateable<Tables['persons']>
export type ExerciseRow = Selectable<Tables['exercises']>
