-- People see the devices on which they are signed in, and sign them out (ASVS V7.5.2): when a session was last used, and the browser and system that used it.
alter table oidc_item add used_at timestamptz(3), add device text;

-- A device gets no push notifications after its session has been ended elsewhere. Null: the token had no session of ours (external provider).
alter table push_subscription add session_family text;
create index push_subscription_of_session on push_subscription (session_family) where session_family is not null;
