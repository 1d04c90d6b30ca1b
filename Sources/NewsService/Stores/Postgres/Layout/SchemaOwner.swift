import NewsCore

/// Refuses a schema of another role. A role that may create schemas could make newsd's schema first and subscribe there
/// to a program, which newsd would run.
enum SchemaOwner {
  /// Selects a role that owns the schema or a part of it and that this newsd does not trust. It trusts its own role, the
  /// role that the address names, and superusers, who can change every table anyway. It does not trust a role because
  /// its own is a member of that role: others may make it one. The schema itself may also belong to the owner of the
  /// database, as `public` does.
  ///
  /// Functions and operators count, too: for `unnest(bigint[])`, PostgreSQL prefers a function of the schema with this very
  /// type to its own for any array, and newsd's statements would run it.
  static func strangers(_ uri: StoreURI) -> Statement {
    Statement(
      """
      WITH owners AS (
        SELECT nspowner AS owner FROM pg_namespace
        WHERE nspname = $1 AND pg_get_userbyid(nspowner) <> 'pg_database_owner'
        UNION SELECT c.relowner FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
        WHERE n.nspname = $1 AND c.relkind NOT IN ('i', 'I', 't', 'c')
        UNION SELECT p.proowner FROM pg_proc AS p JOIN pg_namespace AS n ON n.oid = p.pronamespace WHERE n.nspname = $1
        UNION SELECT o.oprowner FROM pg_operator AS o JOIN pg_namespace AS n ON n.oid = o.oprnamespace
        WHERE n.nspname = $1)
      SELECT r.rolname::text FROM owners JOIN pg_roles AS r ON r.oid = owner
      WHERE r.rolname <> current_user AND NOT r.rolsuper AND r.rolname IS DISTINCT FROM $2 LIMIT 1
      """,
      uri.schema,
      uri.owner
    )
  }

  static func refusal(_ uri: StoreURI, _ stranger: String) -> StoreError {
    StoreError(
      code: .unreadable,
      message:
        "the schema \(uri.schema) of the store \(uri.redacted), or a table or function in it, belongs to the role '\(stranger)'. "
        + "The owner can make newsd run programs. If you trust this role, add owner=\(stranger) to the address"
    )
  }
}
