-- Columns whose values the program knows one by one take no others, whoever writes them: a misspelt role or status would otherwise be read as none of them.
alter table membership
  add constraint membership_role_is_known check (role in ('viewer', 'client', 'commercial', 'member', 'contractor_hse', 'coordinator', 'hse', 'site_manager', 'admin')),
  add constraint membership_status_is_known check (status in ('pending', 'active', 'ended'));
alter table contractor
  add constraint contractor_status_is_known check (status in ('active', 'left')),
  add constraint contractor_source_is_known check (source in ('manual', 'import', 'invite')),
  add constraint contractor_colour_source_is_known check (colour_source in ('derived', 'chosen'));
alter table invite
  add constraint invite_kind_is_known check (kind in ('email', 'link')),
  add constraint invite_role_is_known check (role in ('viewer', 'client', 'commercial', 'member', 'contractor_hse', 'coordinator', 'hse', 'site_manager', 'admin')),
  add constraint invite_approval_is_known check (approval in ('none', 'required')),
  add constraint invite_approval_reason_is_known check (approval_forced_by in ('inviter', 'choice', 'uses'));
alter table permit add constraint permit_source_is_known check (source in ('requested', 'imported'));
alter table permit_extension
  add constraint permit_extension_status_is_known check (status in ('requested', 'approved', 'rejected', 'superseded', 'lapsed'));
alter table task add constraint task_status_is_known check (status in ('open', 'resolved'));
alter table job_run add constraint job_run_state_is_known check (state in ('queued', 'running', 'succeeded', 'failed', 'cancelled'));
