-- The log lines of one site, newest first: without this, a site with few lines was looked for among those of all sites.
create index diag_line_of_site on diag_line (site_id, at desc, id desc) where site_id is not null;
