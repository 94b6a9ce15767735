-- All tables of the service. `$id` is a number that the database gives, `$time` a point in time of the log-in library.
-- `$bytes` is a text that is sorted by its bytes; `$keyed` stores the rows in the order of their primary key.

create table organizations (id $id, name text not null, created_at text not null);

-- Persons and the columns by which they are found.
create table persons (
  id $id,
  organization_id integer not null references organizations (id),
  custom_id text,
  firstname text,
  middlename text,
  lastname text,
  date_of_birth text,
  ssn text,
  diagnosis text,
  gender text,
  gender_as_sent text,
  email text,
  mobile text,
  phone_home text,
  phone_work text,
  address text,
  zipcode text,
  location text,
  country text,
  source text,
  profile_data text,
  origins text,
  search_text text not null,
  custom_id_key text,
  ssn_key text,
  sort_name $bytes not null,
  identity_key text,
  created_at text not null,
  updated_at text not null
);
create index persons_by_custom_id_key on persons (organization_id, custom_id_key);
create index persons_by_ssn_key on persons (organization_id, ssn_key);
create index persons_by_name on persons (organization_id, sort_name, id);
create index persons_by_identity_key on persons (identity_key);

create table person_custom_ids (
  organization_id integer not null references organizations (id),
  partner_id text not null,
  custom_id_digest text not null,
  person_id integer not null references persons (id) on delete cascade,
  primary key (organization_id, custom_id_digest, partner_id)
) $keyed;
create index person_custom_ids_by_person on person_custom_ids (person_id);

create table exercises (
  id $id,
  slug text not null unique,
  name text not null,
  muscles text not null,
  equipment text not null,
  level text not null,
  instruction text not null
);
create table workouts (
  id $id,
  slug text unique,
  organization_id integer references organizations (id),
  person_id integer references persons (id),
  given_from integer references workouts (id),
  give_key text,
  name text not null,
  description text not null,
  owner text not null,
  owner_number integer,
  created_at text not null,
  updated_at text not null,
  withdrawn_at text
);
create index workouts_by_person on workouts (person_id, updated_at);
create unique index workouts_by_give_key on workouts (organization_id, give_key);
create table workout_exercises (
  workout_id integer not null references workouts (id) on delete cascade,
  position integer not null,
  exercise_id integer not null references exercises (id),
  sets integer not null,
  reps integer,
  seconds integer,
  rest_seconds integer not null,
  primary key (workout_id, position)
) $keyed;

-- Days on which patients did their workouts, in their own zone.
create table workout_days (
  id $id,
  workout_id integer not null references workouts (id) on delete cascade,
  day text not null
);
create unique index workout_days_once on workout_days (workout_id, day);
create index workout_days_by_day on workout_days (day);

-- Log-in of employees, in the names of the log-in library.
create table auth_users (
  id text primary key,
  name text not null,
  email text not null unique,
  "emailVerified" boolean not null,
  image text,
  "organizationId" integer not null references organizations (id),
  "createdAt" $time not null,
  "updatedAt" $time not null
) $keyed;
create table employee_numbers (
  id $id,
  account_id text not null unique references auth_users (id) on delete cascade
);
-- Whom an employee worked with last.
create table recent_persons (
  account_id text not null references auth_users (id) on delete cascade,
  person_id integer not null references persons (id) on delete cascade,
  at text not null,
  primary key (account_id, person_id)
) $keyed;
create index recent_persons_by_person on recent_persons (person_id);
create table auth_accounts (
  id text primary key,
  "accountId" text not null,
  "providerId" text not null,
  "userId" text not null references auth_users (id) on delete cascade,
  "accessToken" text,
  "refreshToken" text,
  "idToken" text,
  "accessTokenExpiresAt" $time,
  "refreshTokenExpiresAt" $time,
  scope text,
  password text,
  "createdAt" $time not null,
  "updatedAt" $time not null
) $keyed;
create index auth_accounts_by_user on auth_accounts ("userId");
create table auth_verifications (
  id text primary key,
  identifier text not null,
  value text not null,
  "expiresAt" $time not null,
  "createdAt" $time not null,
  "updatedAt" $time not null
) $keyed;
create table health_checks (name text primary key, at text not null, filler text not null);

-- Log-ins, wrong passwords and partners' posts, counted by the digest of a key.
create table rate_counts (key_digest text primary key, count integer not null, ends_at bigint not null) $keyed;
create index rate_counts_by_end on rate_counts (ends_at);

-- Partner link: who is whom, which tokens were used, which deliveries wait. Partners' own identifiers may be longer than an
-- entry of an index: a digest finds them.
create table partner_employees (
  employee_digest text primary key,
  partner_id text not null,
  partner_organization_id text not null,
  employee_id text not null,
  account_id text not null references auth_users (id) on delete cascade,
  linked_at text not null,
  seen_at text,
  organization_name text,
  employee_name text,
  confirmed_in text,
  last_end text
) $keyed;
create index partner_employees_by_account on partner_employees (account_id);
create table partner_organizations (
  organization_digest text not null,
  organization_id integer not null references organizations (id),
  partner_id text not null,
  partner_organization_id text not null,
  bound_at text not null,
  primary key (organization_digest, organization_id)
) $keyed;
create table used_tokens (token_key text primary key, request_id text not null, expires_at bigint not null) $keyed;
create index used_tokens_by_expiry on used_tokens (expires_at);
create table held_deliveries (
  handle_digest text primary key,
  purpose text not null,
  partner_id text not null,
  employee_digest text not null,
  delivery text not null,
  expires_at bigint not null
) $keyed;
create index held_deliveries_by_expiry on held_deliveries (expires_at);
create index held_deliveries_by_employee on held_deliveries (employee_digest);

-- Sessions of employees, in windows and in partners' frames. A session ends with the link that made it; within a transaction
-- the link may go first.
create table auth_sessions (
  id text not null,
  token text primary key,
  "userId" text not null references auth_users (id) on delete cascade,
  "linkId" text references partner_employees (employee_digest) deferrable initially deferred,
  "partnerId" text,
  "expiresAt" $time not null,
  "ipAddress" text,
  "userAgent" text,
  "createdAt" $time not null,
  "updatedAt" $time not null
);
create index auth_sessions_by_user on auth_sessions ("userId");
create index auth_sessions_by_link on auth_sessions ("linkId");
create index auth_sessions_by_expiry on auth_sessions ("expiresAt");
create table frame_sessions (
  id text not null,
  token text primary key,
  "userId" text not null references auth_users (id) on delete cascade,
  "linkId" text references partner_employees (employee_digest) deferrable initially deferred,
  "partnerId" text not null,
  "expiresAt" $time not null,
  "ipAddress" text,
  "userAgent" text,
  "createdAt" $time not null,
  "updatedAt" $time not null
);
create index frame_sessions_by_user on frame_sessions ("userId");
create index frame_sessions_by_link on frame_sessions ("linkId");
create index frame_sessions_by_expiry on frame_sessions ("expiresAt");

-- Log-in of consumers through the electronic ID.
create table consumer_users (
  id text primary key,
  name text not null,
  email text not null unique,
  "emailVerified" boolean not null,
  image text,
  "identityNumber" text not null,
  "createdAt" $time not null,
  "updatedAt" $time not null
) $keyed;
create index consumer_users_by_creation on consumer_users ("createdAt");
create table consumer_sessions (
  id text primary key,
  token text not null unique,
  "userId" text not null references consumer_users (id) on delete cascade,
  "expiresAt" $time not null,
  "ipAddress" text,
  "userAgent" text,
  "createdAt" $time not null,
  "updatedAt" $time not null
) $keyed;
create index consumer_sessions_by_user on consumer_sessions ("userId");
create index consumer_sessions_by_expiry on consumer_sessions ("expiresAt");

-- The audit log. A transaction that runs again makes no second entry.
create table audit_entries (
  id $id,
  at text not null,
  request_id text not null,
  event text not null,
  outcome text not null,
  partner_id text not null,
  organization_id text,
  account_id text,
  employee_digest text
);
create index audit_entries_by_time on audit_entries (at);
create unique index audit_entries_once on audit_entries (request_id, event, outcome, coalesce(employee_digest, ''));
