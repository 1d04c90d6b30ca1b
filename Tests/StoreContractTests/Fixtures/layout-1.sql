-- A store on PostgreSQL 15 that a newsd of layout 1 wrote: pg_dump --inserts --no-owner --no-privileges --no-comments.
SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET client_min_messages = warning;
SET row_security = off;
CREATE SCHEMA layout1;
CREATE TYPE layout1.slot AS (
	node bigint,
	until timestamp with time zone
);
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE layout1.app_passwords (
    id bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    hash bytea NOT NULL,
    fever_hash bytea NOT NULL,
    made bigint NOT NULL,
    used bigint
);
CREATE TABLE layout1.articles (
    item bigint NOT NULL,
    state text NOT NULL COLLATE pg_catalog."C",
    reason text COLLATE pg_catalog."C",
    attempts bigint DEFAULT 0 NOT NULL,
    due bigint,
    fetched bigint,
    etag text COLLATE pg_catalog."C",
    last_modified text COLLATE pg_catalog."C",
    validated_url text COLLATE pg_catalog."C",
    feed_text text COLLATE pg_catalog."C",
    feed_html text COLLATE pg_catalog."C"
);
CREATE TABLE layout1.change_times (
    "time" bigint NOT NULL,
    sequence bigint NOT NULL
);
CREATE TABLE layout1.commit_keys (
    key bigint NOT NULL,
    made timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
CREATE TABLE layout1.contents (
    id bigint NOT NULL,
    author text NOT NULL COLLATE pg_catalog."C",
    summary text COLLATE pg_catalog."C",
    details text COLLATE pg_catalog."C",
    text text NOT NULL COLLATE pg_catalog."C",
    html text COLLATE pg_catalog."C"
);
CREATE TABLE layout1.enclosures (
    item bigint NOT NULL,
    number bigint NOT NULL,
    url text NOT NULL COLLATE pg_catalog."C",
    "position" bigint DEFAULT 0 NOT NULL,
    is_played bigint DEFAULT 0 NOT NULL,
    changed bigint
);
CREATE TABLE layout1.feed_changes (
    feed bigint NOT NULL,
    sequence bigint NOT NULL,
    url text COLLATE pg_catalog."C"
);
CREATE TABLE layout1.feed_icons (
    feed bigint NOT NULL,
    url text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE layout1.feeds (
    id bigint NOT NULL,
    url text NOT NULL COLLATE pg_catalog."C",
    user_title text COLLATE pg_catalog."C",
    own_title text COLLATE pg_catalog."C",
    site_url text COLLATE pg_catalog."C",
    folder text COLLATE pg_catalog."C",
    "position" bigint NOT NULL,
    items bigint DEFAULT 0 NOT NULL,
    unread bigint DEFAULT 0 NOT NULL,
    added bigint NOT NULL,
    settings text COLLATE pg_catalog."C",
    identity text COLLATE pg_catalog."C",
    etag text COLLATE pg_catalog."C",
    last_modified text COLLATE pg_catalog."C",
    validated_url text COLLATE pg_catalog."C",
    body_hash bigint,
    next_due bigint,
    next_due_reason text COLLATE pg_catalog."C",
    last_fetched bigint,
    last_status bigint,
    last_success bigint,
    failures bigint DEFAULT 0 NOT NULL,
    failing_since bigint,
    last_error text COLLATE pg_catalog."C",
    "interval" bigint,
    ttl bigint,
    skip_hours bigint DEFAULT 0 NOT NULL,
    skip_days bigint DEFAULT 0 NOT NULL,
    update_interval bigint,
    update_base bigint,
    moved_url text COLLATE pg_catalog."C",
    moved_since bigint,
    moved_polls bigint,
    is_gone smallint DEFAULT 0 NOT NULL,
    max_age bigint,
    hold_host text COLLATE pg_catalog."C",
    hold_until bigint,
    former_url text COLLATE pg_catalog."C",
    former_changed bigint,
    hub_url text COLLATE pg_catalog."C",
    topic_url text COLLATE pg_catalog."C",
    rejected_move text COLLATE pg_catalog."C"
)
WITH (fillfactor='80');
CREATE TABLE layout1.folder_settings (
    folder text NOT NULL COLLATE pg_catalog."C",
    settings text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE layout1.hooks (
    name text NOT NULL COLLATE pg_catalog."C",
    is_active smallint NOT NULL,
    query text COLLATE pg_catalog."C",
    events text NOT NULL COLLATE pg_catalog."C",
    failing_after bigint NOT NULL,
    takes_backlog smallint NOT NULL,
    delivered bigint DEFAULT 0 NOT NULL,
    last_delivered bigint,
    last_error text COLLATE pg_catalog."C",
    last_error_time bigint,
    failures bigint DEFAULT 0 NOT NULL,
    next_try bigint
);
CREATE TABLE layout1.hub_subscriptions (
    feed bigint NOT NULL,
    topic text NOT NULL COLLATE pg_catalog."C",
    hub text NOT NULL COLLATE pg_catalog."C",
    callback text NOT NULL COLLATE pg_catalog."C",
    token text NOT NULL COLLATE pg_catalog."C",
    secret text NOT NULL COLLATE pg_catalog."C",
    lease_end bigint,
    failures bigint DEFAULT 0 NOT NULL,
    due bigint NOT NULL,
    is_pending smallint DEFAULT 0 NOT NULL,
    last_contact bigint,
    revision bigint NOT NULL
);
CREATE TABLE layout1.icons (
    feed bigint NOT NULL,
    feed_hash bigint NOT NULL,
    due bigint NOT NULL,
    named text,
    source text,
    etag text,
    last_modified text,
    picture bigint
);
CREATE SEQUENCE layout1.item_ids
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE layout1.item_labels (
    label text NOT NULL COLLATE pg_catalog."C",
    item bigint NOT NULL
);
CREATE TABLE layout1.item_tags (
    tag text NOT NULL COLLATE pg_catalog."C",
    item bigint NOT NULL
);
CREATE TABLE layout1.items (
    id bigint NOT NULL,
    feed bigint NOT NULL,
    sort bigint NOT NULL,
    identity bigint NOT NULL,
    revision bigint NOT NULL,
    is_read smallint DEFAULT 0 NOT NULL,
    is_starred smallint DEFAULT 0 NOT NULL,
    has_enclosure smallint DEFAULT 0 NOT NULL,
    published bigint,
    updated bigint,
    stored bigint NOT NULL,
    sequence bigint NOT NULL,
    change smallint NOT NULL,
    first_sequence bigint NOT NULL,
    cluster bigint,
    language text COLLATE pg_catalog."C",
    guid text COLLATE pg_catalog."C",
    url text COLLATE pg_catalog."C",
    title text NOT NULL COLLATE pg_catalog."C"
)
WITH (fillfactor='90');
ALTER TABLE ONLY layout1.items ALTER COLUMN guid SET STORAGE MAIN;
ALTER TABLE ONLY layout1.items ALTER COLUMN url SET STORAGE MAIN;
ALTER TABLE ONLY layout1.items ALTER COLUMN title SET STORAGE MAIN;
CREATE TABLE layout1.nodes (
    id bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    version text NOT NULL COLLATE pg_catalog."C",
    since timestamp with time zone NOT NULL,
    beat timestamp with time zone NOT NULL,
    until timestamp with time zone NOT NULL
);
ALTER TABLE layout1.nodes ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME layout1.nodes_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE layout1.outbox (
    hook text NOT NULL COLLATE pg_catalog."C",
    sequence bigint NOT NULL,
    event text NOT NULL COLLATE pg_catalog."C",
    "time" bigint NOT NULL,
    item bigint,
    notice text COLLATE pg_catalog."C",
    batch bigint,
    attempts bigint DEFAULT 0 NOT NULL,
    first_try bigint,
    due bigint,
    error text COLLATE pg_catalog."C",
    taken timestamp with time zone
);
CREATE TABLE layout1.pictures (
    id bigint NOT NULL,
    token text NOT NULL,
    type text NOT NULL,
    size bigint NOT NULL,
    bytes bytea NOT NULL
);
CREATE TABLE layout1.polls (
    feed bigint NOT NULL,
    owner bigint,
    token bigint NOT NULL,
    asked timestamp with time zone
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0.02');
CREATE TABLE layout1.quiet_edits (
    item bigint NOT NULL,
    sequence bigint NOT NULL
);
CREATE TABLE layout1.rule_facts (
    number bigint NOT NULL,
    until bigint,
    hits bigint DEFAULT 0 NOT NULL
);
CREATE TABLE layout1.rules (
    number bigint NOT NULL,
    query text NOT NULL COLLATE pg_catalog."C",
    action text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE layout1.saved_searches (
    number bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    query text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE layout1.searches (
    number bigint NOT NULL,
    query text NOT NULL COLLATE pg_catalog."C",
    "time" bigint NOT NULL
);
CREATE TABLE layout1.secrets (
    name text NOT NULL COLLATE pg_catalog."C",
    value bytea NOT NULL
);
CREATE TABLE layout1.sessions (
    id bigint NOT NULL,
    hash bytea NOT NULL,
    agent text NOT NULL COLLATE pg_catalog."C",
    address text NOT NULL COLLATE pg_catalog."C",
    made bigint NOT NULL,
    seen bigint NOT NULL
);
ALTER TABLE layout1.sessions ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME layout1.sessions_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE layout1.sites (
    site text NOT NULL COLLATE pg_catalog."C",
    last_start timestamp with time zone DEFAULT '1970-01-01 00:00:00+00'::timestamp with time zone NOT NULL,
    busy layout1.slot[] DEFAULT '{}'::layout1.slot[] NOT NULL
)
WITH (fillfactor='50');
CREATE TABLE layout1.store (
    one boolean DEFAULT true NOT NULL,
    layout integer NOT NULL,
    id text DEFAULT (gen_random_uuid())::text NOT NULL COLLATE pg_catalog."C",
    feed bigint DEFAULT 0 NOT NULL,
    item bigint DEFAULT 0 NOT NULL,
    sequence bigint DEFAULT 0 NOT NULL,
    items bigint DEFAULT 0 NOT NULL,
    unread bigint DEFAULT 0 NOT NULL,
    starred bigint DEFAULT 0 NOT NULL,
    feed_list bigint DEFAULT 0 NOT NULL,
    tokens bigint DEFAULT 0 NOT NULL,
    commits bigint DEFAULT 0 NOT NULL,
    incarnation text COLLATE pg_catalog."C",
    CONSTRAINT store_one_check CHECK (one)
)
WITH (fillfactor='10');
CREATE TABLE layout1.store_settings (
    name text NOT NULL COLLATE pg_catalog."C",
    value bigint NOT NULL
);
CREATE TABLE layout1.stories (
    item bigint NOT NULL,
    sort bigint NOT NULL,
    fingerprint bytea NOT NULL
);
CREATE TABLE layout1.story_keys (
    days bigint NOT NULL,
    key bigint NOT NULL,
    sort bigint NOT NULL,
    item bigint NOT NULL
);
CREATE TABLE layout1.tombstones (
    sequence bigint NOT NULL,
    id bigint NOT NULL,
    feed bigint NOT NULL,
    identity bigint NOT NULL,
    guid text NOT NULL COLLATE pg_catalog."C",
    url text COLLATE pg_catalog."C"
);
CREATE TABLE layout1.versions (
    item bigint NOT NULL,
    number bigint NOT NULL,
    "time" bigint NOT NULL,
    title text NOT NULL COLLATE pg_catalog."C",
    delta bytea NOT NULL
);
CREATE TABLE layout1.words (
    id bigint NOT NULL,
    sort bigint NOT NULL,
    clipped smallint DEFAULT 0 NOT NULL,
    length bigint NOT NULL,
    words tsvector NOT NULL
)
WITH (toast_tuple_target='128', autovacuum_vacuum_insert_scale_factor='0.02');
INSERT INTO layout1.change_times VALUES (1795755490, 10);
INSERT INTO layout1.commit_keys VALUES (-5447861133960542533, '2026-11-27 04:58:10.461331+00');
INSERT INTO layout1.commit_keys VALUES (5909916541267999505, '2026-11-27 04:58:10.536883+00');
INSERT INTO layout1.commit_keys VALUES (-928549908446155147, '2026-11-27 04:58:10.580212+00');
INSERT INTO layout1.commit_keys VALUES (7882028545281714026, '2026-11-27 04:58:10.619032+00');
INSERT INTO layout1.commit_keys VALUES (-5084266770744801492, '2026-11-27 04:58:10.670973+00');
INSERT INTO layout1.commit_keys VALUES (2402906732258668573, '2026-11-27 04:58:10.709925+00');
INSERT INTO layout1.commit_keys VALUES (1595065534518962973, '2026-11-27 04:58:10.757868+00');
INSERT INTO layout1.commit_keys VALUES (-5291447999882399701, '2026-11-27 04:58:10.823109+00');
INSERT INTO layout1.commit_keys VALUES (-5439178065621390033, '2026-11-27 04:58:10.861773+00');
INSERT INTO layout1.contents VALUES (2, '', NULL, '{"enclosures":[{"url":"https://a.example/2.mp3","mime_type":"audio/mpeg","size":7}]}', 'Two', '<p>Two</p>');
INSERT INTO layout1.contents VALUES (3, '', NULL, NULL, 'Three', NULL);
INSERT INTO layout1.contents VALUES (1, 'Ann', NULL, '{"authors":[{"name":"Ann"}],"tags":["tech"]}', 'One bolder text', '<p>One <b>bolder</b> text</p>');
INSERT INTO layout1.feed_changes VALUES (1, 1, NULL);
INSERT INTO layout1.feed_changes VALUES (2, 5, NULL);
INSERT INTO layout1.feeds VALUES (2, 'https://a.example/feed', NULL, NULL, NULL, NULL, 2, 0, 0, 1795755490, NULL, NULL, NULL, NULL, NULL, NULL, 1795759429, 'backoff 1', 1795755490, NULL, NULL, 1, 1795755490, 'a.example was not found. Check its spelling and the network.', NULL, NULL, 0, 0, NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO layout1.feeds VALUES (1, 'ingest:notes', 'notes', NULL, NULL, NULL, 1, 3, 1, 1795755490, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL, 0, 0, NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO layout1.item_labels VALUES ('later', 2);
INSERT INTO layout1.item_tags VALUES ('tech', 1);
INSERT INTO layout1.items VALUES (2, 1, 1795172400, -7658165648861016553, 1754060026902788075, 0, 1, 1, 1795172400, NULL, 1795755490, 8, 2, 3, NULL, NULL, 'g2', 'https://a.example/2', 'Second 名前');
INSERT INTO layout1.items VALUES (1, 1, 1795168800, -2808944857068144675, -7040502523912608781, 1, 0, 0, 1795168800, NULL, 1795755490, 9, 1, 2, NULL, NULL, 'g1', 'https://a.example/1', 'First');
INSERT INTO layout1.items VALUES (3, 1, 1795176000, -2034825333145045044, 3629679101083496260, 1, 0, 0, 1795176000, NULL, 1795755490, 10, 2, 4, NULL, NULL, 'g3', NULL, 'Third');
INSERT INTO layout1.rules VALUES (1, 'title:noise', 'drop');
INSERT INTO layout1.saved_searches VALUES (1, 's', 'tech');
INSERT INTO layout1.sites VALUES ('a.example', '2026-11-27 04:58:10.529501+00', '{}');
INSERT INTO layout1.store VALUES (true, 1, '35d58c92-6aee-4418-ad20-39b845f76050', 2, 3, 10, 3, 1, 1, 2, 10, 12, '7712711097654799176/00000001');
INSERT INTO layout1.store_settings VALUES ('table', 16385);
INSERT INTO layout1.stories VALUES (2, 1795172400, '\x0155aa55683e4ec03568aedf1e931facbe000000000000000000000000000000000300');
INSERT INTO layout1.stories VALUES (1, 1795168800, '\x013ca555683e4bc03565842a4a89ca3a56000000000000000000000000000000000400');
INSERT INTO layout1.story_keys VALUES (1931, 3873181709484010069, 1795172400, 2);
INSERT INTO layout1.story_keys VALUES (1931, 3873178410949125437, 1795168800, 1);
INSERT INTO layout1.versions VALUES (1, 1, 1795755490, 'First', '\x0805');
INSERT INTO layout1.words VALUES (2, 1795172400, 0, 3, '''tsecond'':1 ''t前'':2 ''t名前'':2 ''second'':1 ''two'':5 ''前'':2 ''名前'':2');
INSERT INTO layout1.words VALUES (3, 1795176000, 0, 2, '''tthird'':1 ''third'':1 ''three'':4');
INSERT INTO layout1.words VALUES (1, 1795168800, 0, 5, '''aann'':3 ''tfirst'':1 ''ann'':3 ''bolder'':6 ''first'':1 ''one'':5 ''text'':7');
SELECT pg_catalog.setval('layout1.item_ids', 3, true);
SELECT pg_catalog.setval('layout1.nodes_id_seq', 1, false);
SELECT pg_catalog.setval('layout1.sessions_id_seq', 1, false);
ALTER TABLE ONLY layout1.app_passwords
    ADD CONSTRAINT app_passwords_pkey PRIMARY KEY (id);
ALTER TABLE ONLY layout1.articles
    ADD CONSTRAINT articles_pkey PRIMARY KEY (item);
ALTER TABLE ONLY layout1.change_times
    ADD CONSTRAINT change_times_pkey PRIMARY KEY ("time");
ALTER TABLE ONLY layout1.commit_keys
    ADD CONSTRAINT commit_keys_pkey PRIMARY KEY (key);
ALTER TABLE ONLY layout1.contents
    ADD CONSTRAINT contents_pkey PRIMARY KEY (id);
ALTER TABLE ONLY layout1.enclosures
    ADD CONSTRAINT enclosures_pkey PRIMARY KEY (item, number);
ALTER TABLE ONLY layout1.feed_changes
    ADD CONSTRAINT feed_changes_pkey PRIMARY KEY (feed);
ALTER TABLE ONLY layout1.feed_icons
    ADD CONSTRAINT feed_icons_pkey PRIMARY KEY (feed);
ALTER TABLE ONLY layout1.feeds
    ADD CONSTRAINT feeds_pkey PRIMARY KEY (id);
ALTER TABLE ONLY layout1.folder_settings
    ADD CONSTRAINT folder_settings_pkey PRIMARY KEY (folder);
ALTER TABLE ONLY layout1.hooks
    ADD CONSTRAINT hooks_pkey PRIMARY KEY (name);
ALTER TABLE ONLY layout1.hub_subscriptions
    ADD CONSTRAINT hub_subscriptions_pkey PRIMARY KEY (feed);
ALTER TABLE ONLY layout1.icons
    ADD CONSTRAINT icons_pkey PRIMARY KEY (feed);
ALTER TABLE ONLY layout1.item_labels
    ADD CONSTRAINT item_labels_pkey PRIMARY KEY (label, item);
ALTER TABLE ONLY layout1.item_tags
    ADD CONSTRAINT item_tags_pkey PRIMARY KEY (tag, item);
ALTER TABLE ONLY layout1.items
    ADD CONSTRAINT items_pkey PRIMARY KEY (id);
ALTER TABLE ONLY layout1.nodes
    ADD CONSTRAINT nodes_pkey PRIMARY KEY (id);
ALTER TABLE ONLY layout1.outbox
    ADD CONSTRAINT outbox_pkey PRIMARY KEY (hook, sequence);
ALTER TABLE ONLY layout1.pictures
    ADD CONSTRAINT pictures_pkey PRIMARY KEY (id);
ALTER TABLE ONLY layout1.pictures
    ADD CONSTRAINT pictures_token_key UNIQUE (token);
ALTER TABLE ONLY layout1.polls
    ADD CONSTRAINT polls_pkey PRIMARY KEY (feed);
ALTER TABLE ONLY layout1.quiet_edits
    ADD CONSTRAINT quiet_edits_pkey PRIMARY KEY (item);
ALTER TABLE ONLY layout1.rule_facts
    ADD CONSTRAINT rule_facts_pkey PRIMARY KEY (number);
ALTER TABLE ONLY layout1.rules
    ADD CONSTRAINT rules_pkey PRIMARY KEY (number);
ALTER TABLE ONLY layout1.saved_searches
    ADD CONSTRAINT saved_searches_pkey PRIMARY KEY (number);
ALTER TABLE ONLY layout1.searches
    ADD CONSTRAINT searches_pkey PRIMARY KEY (number);
ALTER TABLE ONLY layout1.secrets
    ADD CONSTRAINT secrets_pkey PRIMARY KEY (name);
ALTER TABLE ONLY layout1.sessions
    ADD CONSTRAINT sessions_hash_key UNIQUE (hash);
ALTER TABLE ONLY layout1.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY layout1.sites
    ADD CONSTRAINT sites_pkey PRIMARY KEY (site);
ALTER TABLE ONLY layout1.store
    ADD CONSTRAINT store_pkey PRIMARY KEY (one);
ALTER TABLE ONLY layout1.store_settings
    ADD CONSTRAINT store_settings_pkey PRIMARY KEY (name);
ALTER TABLE ONLY layout1.stories
    ADD CONSTRAINT stories_pkey PRIMARY KEY (item);
ALTER TABLE ONLY layout1.story_keys
    ADD CONSTRAINT story_keys_pkey PRIMARY KEY (days, key, sort, item);
ALTER TABLE ONLY layout1.tombstones
    ADD CONSTRAINT tombstones_pkey PRIMARY KEY (sequence);
ALTER TABLE ONLY layout1.versions
    ADD CONSTRAINT versions_pkey PRIMARY KEY (item, number);
ALTER TABLE ONLY layout1.words
    ADD CONSTRAINT words_pkey PRIMARY KEY (id);
CREATE UNIQUE INDEX app_passwords_name ON layout1.app_passwords USING btree (lower(name));
CREATE INDEX articles_due ON layout1.articles USING btree (due) WHERE (due IS NOT NULL);
CREATE INDEX change_times_sequence ON layout1.change_times USING btree (sequence);
CREATE INDEX feed_changes_sequence ON layout1.feed_changes USING btree (sequence);
CREATE INDEX feeds_hub ON layout1.feeds USING btree (id) WHERE (hub_url IS NOT NULL);
CREATE INDEX feeds_position ON layout1.feeds USING btree ("position", id);
CREATE UNIQUE INDEX feeds_url ON layout1.feeds USING btree (md5(url));
CREATE INDEX icons_picture ON layout1.icons USING btree (picture);
CREATE INDEX item_labels_item ON layout1.item_labels USING btree (item);
CREATE INDEX item_tags_item ON layout1.item_tags USING btree (item);
CREATE INDEX items_cluster ON layout1.items USING btree (cluster) WHERE (cluster IS NOT NULL);
CREATE INDEX items_feed ON layout1.items USING btree (feed, sort, id);
CREATE INDEX items_identity ON layout1.items USING btree (feed, identity);
CREATE INDEX items_newest ON layout1.items USING btree (sort, id);
CREATE INDEX items_sequence ON layout1.items USING btree (sequence);
CREATE INDEX items_starred ON layout1.items USING btree (sort, id) WHERE (is_starred = 1);
CREATE INDEX items_unread ON layout1.items USING btree (sort, id) WHERE (is_read = 0);
CREATE INDEX outbox_due ON layout1.outbox USING btree (hook, due, sequence) WHERE (due IS NOT NULL);
CREATE INDEX outbox_item ON layout1.outbox USING btree (item) WHERE (due IS NOT NULL);
CREATE UNIQUE INDEX saved_searches_name ON layout1.saved_searches USING btree (lower(name));
CREATE INDEX tombstones_identity ON layout1.tombstones USING btree (feed, identity);
CREATE INDEX versions_time ON layout1.versions USING btree ("time");
CREATE INDEX words_clipped ON layout1.words USING btree (sort, id) WHERE (clipped > 0);
CREATE INDEX words_index ON layout1.words USING gin (words) WITH (fastupdate='on', gin_pending_list_limit='16384');
CREATE INDEX words_newest ON layout1.words USING btree (sort, id);
