create table link_rows (number bigint generated always as identity, kind text, key text, value text,
  expires_at timestamptz, primary key (kind, key));
create table contacts (number bigint generated always as identity, id text primary key, organization text, value text);
