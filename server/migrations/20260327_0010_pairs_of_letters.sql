-- Words that are plain have only ASCII characters: the index by three letters finds two letters in them by each character that can follow. Those that
-- aren't have a small index of their own, and are compared one by one (decision 1064).
alter table permit_words add column plain boolean not null generated always as (octet_length(words) = char_length(words)) stored;
create index permit_words_not_plain on permit_words (site_id) where not plain;
