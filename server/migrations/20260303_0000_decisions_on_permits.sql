-- The newest decision on a permit, shown wherever the permit is: the person who must act reads why it came back.
alter table permit add column last_decision jsonb;

-- A hand-back signed for an absent receiver names the person it was signed for.
alter table permit_signature add column on_behalf_of jsonb;

-- A signature is immutable: it can be voided once, and nothing else about it changes.
create or replace function permit_signature_stands() returns trigger language plpgsql as $$
begin
  if current_setting('walkdown.erasing', true) = 'on' and tg_op = 'DELETE' then
    return old;
  end if;
  if tg_op = 'UPDATE' and old.voided_at is null and new.voided_at is not null
    and (new.permit_id, new.number, new.kind, new.signer_id, new.signer_name, new.signed_at, new.note, new.statement, new.on_behalf_of, new.content, new.content_hash, new.prev_hash, new.hash)
      is not distinct from (old.permit_id, old.number, old.kind, old.signer_id, old.signer_name, old.signed_at, old.note, old.statement, old.on_behalf_of, old.content, old.content_hash, old.prev_hash, old.hash)
  then
    return new;
  end if;
  raise exception 'a signature stands as it was made' using errcode = 'WD004';
end $$;
