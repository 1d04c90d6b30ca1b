public import Modules
public import NewsCore
public import NewsText
public import NewsToolbox

/// Encodes metrics in Prometheus' text format (https://prometheus.io/docs/instrumenting/exposition_formats/),
/// for `/metrics` and for the textfile collector of node_exporter.
public enum HealthMetrics {
  private struct Metric {
    var name: String
    var help: String
    /// The values, each with its label pair, or with an empty string if it has no label.
    var samples: [(label: String, value: Int64)]
  }

  /// Figures of the store, as metrics.
  public static func text(_ report: HealthReport) -> String {
    text([(labels: "", metrics: metrics(report))])
  }

  /// Figures of the stores of accounts, as metrics with the label `account`.
  public static func text(_ reports: [AccountRecord<HealthReport>]) -> String {
    text(reports.map { (labels: "account=\"\($0.account)\"", metrics: metrics($0.record)) })
  }

  /// Writes each metric once, with the samples of all stores. `labels` are those of one store's samples.
  private static func text(_ stores: [(labels: String, metrics: [Metric])]) -> String {
    var text = ""
    for (index, metric) in (stores.first?.metrics ?? []).enumerated() {
      var lines = ""
      for store in stores {
        for sample in store.metrics[index].samples {
          let labels = [store.labels, sample.label].filter { !$0.isEmpty }.joined(separator: ",")
          lines += "newsd_\(metric.name)\(labels.isEmpty ? "" : "{\(labels)}") \(sample.value)\n"
        }
      }
      guard !lines.isEmpty else { continue }
      text += "# HELP newsd_\(metric.name) \(metric.help)\n# TYPE newsd_\(metric.name) gauge\n" + lines
    }
    return text
  }

  private static func hooks(
    _ name: String,
    _ help: String,
    _ report: HealthReport,
    _ value: (HookState) -> Int64
  ) -> Metric {
    Metric(name: name, help: help, samples: report.hooks.map { ("hook=\"\($0.name)\"", value($0)) })
  }

  private static func metrics(_ report: HealthReport) -> [Metric] {
    func gauge(_ name: String, _ help: String, _ value: Int64?) -> Metric {
      Metric(name: name, help: help, samples: value.map { [("", $0)] } ?? [])
    }
    let failing = HealthReport.FailureKind.allCases.map { kind in
      (label: "kind=\"\(kind.rawValue)\"", value: Int64(report.failing[kind] ?? 0))
    }
    return [
      gauge(
        "health",
        "0 good, 1 warning, 2 critical (newsd status --health).",
        Int64(report.verdict.rawValue)
      ),
      gauge("daemon_up", "1 when newsd run holds the store.", report.daemon == nil ? 0 : 1),
      gauge(
        "daemon_start_time_seconds",
        "When newsd run began, in Unix time.",
        report.daemon?.started?.seconds
      ),
      gauge("feeds", "Subscriptions.", Int64(report.feeds)),
      gauge(
        "feeds_gone",
        "Subscriptions that answered 410 Gone and are no longer polled.",
        Int64(report.gone)
      ),
      Metric(name: "feeds_failing", help: "Subscriptions whose last poll failed, by kind.", samples: failing),
      gauge("feeds_due", "Subscriptions whose next poll is due.", Int64(report.due)),
      gauge(
        "feeds_overdue",
        "Subscriptions whose poll is late by more than ten minutes.",
        Int64(report.overdue)
      ),
      gauge("poll_lateness_seconds_max", "Lateness of the most overdue poll.", report.lateness),
      gauge("items", "Items in the store.", Int64(report.items)),
      gauge("items_unread", "Unread items in the store.", Int64(report.unread)),
      gauge(
        "last_commit_time_seconds",
        "When a poll was last stored, in Unix time.",
        report.lastCommit?.seconds
      ),
      gauge("store_bytes", "Size of the store's file.", report.figures?.storeBytes),
      gauge(
        "store_unused_bytes",
        "Unused bytes of the store's file.",
        report.figures?.unusedBytes
      ),
      gauge("wal_bytes", "Size of the store's write-ahead log.", report.figures?.logBytes),
      gauge("disk_free_bytes", "Free bytes of the store's file system.", report.figures?.diskFree),
      gauge("disk_bytes", "Size of the store's file system.", report.figures?.diskSize),
      gauge(
        "oldest_transaction_seconds",
        "Age of the oldest transaction of the database that the role can see.",
        report.figures?.oldestTransaction
      ),
      gauge(
        "oldest_snapshot_transactions",
        "Transactions since the oldest snapshot of a session, replication slot or prepared transaction.",
        report.figures?.snapshotAge
      ),
      gauge("dead_rows", "Rows that the server has not removed yet.", report.figures?.deadRows),
      hooks("hook_pending", "Deliveries that wait.", report) { Int64($0.pending) },
      hooks("hook_failed", "Deliveries that were given up.", report) { Int64($0.failed) },
      hooks("hook_oldest_seconds", "Age of the oldest delivery that waits; 0 if none does.", report) { hook in
        hook.oldest.map { max(0, report.now - $0) } ?? 0
      },
    ]
  }
}

/// Shows the health of a store as metrics.
public struct HealthMetricsView: ContentView {
  public init() {}

  public func render(_ content: RecordList<HealthReport>, isLast: Bool, _ buffer: inout ByteBuffer) {
    for report in content.records { buffer.append(HealthMetrics.text(report)) }
  }
}

/// Shows the health of the stores of accounts as metrics.
public struct AccountMetricsView: ContentView {
  public init() {}

  public func render(
    _ content: RecordList<AccountRecord<HealthReport>>,
    isLast: Bool,
    _ buffer: inout ByteBuffer
  ) {
    buffer.append(HealthMetrics.text(content.records))
  }
}
