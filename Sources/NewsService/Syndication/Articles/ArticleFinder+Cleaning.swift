extension ArticleFinder {
  /// Excludes clutter from the chosen elements, innermost first, and returns their remaining totals.
  mutating func clean(_ chosen: [Int], _ rules: Rules) -> Finding {
    var finding = Finding(elements: chosen)
    sums.clear()
    for top in chosen {
      var index = Int(elements[top].end) - 1
      while index >= top {
        if !out[index] {
          sums.addOwn(elements[index], to: index)
          if index != top {
            if rules.contains(.cleaning), isClutter(index, within: top) {
              leaveOut(index)
            } else {
              sums.pass(index, to: Int(elements[index].parent))
            }
          }
        }
        index -= 1
      }
      finding.letters += Int(sums[top].letters)
      finding.prose += Int(sums[top].prose)
    }
    if rules.contains(.cleaning), let last = chosen.last {
      dropLastHeadings(from: chosen[0], to: Int(elements[last].end))
    }
    return finding
  }

  private func isClutter(_ index: Int, within top: Int) -> Bool {
    let element = elements[index]
    let total = sums[index]
    if element.flags.contains(.isLiteral) { return false }
    switch element.name {
    case .h1, .h2: return repeatsTitle(index)
    case .p: return total.density > 0.8 && total.letters < 160 && total.images == 0 && total.letters > 0
    case .form, .fieldset: return !isMostOf(top, total)
    case .table: return !isData(index, element) && isSparse(total, element)
    case .ul, .ol, .dl, .div, .section, .header, .unknown: return isSparse(total, element)
    default: return false
    }
  }

  private func isMostOf(_ top: Int, _ total: PageSums.Total) -> Bool {
    // Compare with the whole page, because the totals of the enclosing elements are not complete yet.
    Float(total.prose) > Float(prose) * 0.3
  }

  private func isData(_ index: Int, _ element: Element) -> Bool {
    element.flags.contains(.dataTable) || element.breaks >= 3 && element.flags.contains(.hasCell)
  }

  /// True for an element with more links than text, and for an element with little text whose name suggests
  /// that it is not part of the article.
  private func isSparse(_ total: PageSums.Total, _ element: Element) -> Bool {
    if element.meaning.contains(.footnotes) { return false }
    let plain = total.letters - total.links
    if total.density > 0.5, plain < 250 { return true }
    if element.weight < 0 || element.meaning.contains(.clutter), total.letters < 600, total.sentences < 3,
      total.images == 0 || element.meaning.contains(.clutter)
    {
      return true
    }
    return false
  }

  /// True for a short heading that repeats the title.
  private func repeatsTitle(_ index: Int) -> Bool {
    let element = elements[index]
    let length = Int(element.contentEnd - element.contentStart)
    guard length > 0, length < 4_000 else { return false }
    var plain = HTMLPlainText()
    let text = plain.line(
      ofHTML: UnsafeBufferPointer(start: page + Int(element.contentStart), count: length)
    )
    let folded = ArticleTitle.folded(text)
    return !folded.isEmpty && titles.contains(folded)
  }

  /// Number of elements at the end that are searched for headings.
  private static let longestTail = 2_000

  /// Excludes headings at the end that no text follows.
  private func dropLastHeadings(from first: Int, to end: Int) {
    var index = end - 1
    let lowest = max(first, end - Self.longestTail)
    while index >= lowest {
      let element = elements[index]
      if !out[index] {
        switch element.name {
        case .h1, .h2, .h3, .h4, .h5, .h6:
          leaveOut(index)
        case .img, .picture, .video, .table, .pre: return
        default:
          if element.own.letters > 1, !isInHeading(index, first) { return }
        }
      }
      index -= 1
    }
  }

  private func isInHeading(_ index: Int, _ first: Int) -> Bool {
    var place = index
    while place > first {
      switch elements[place].name {
      case .h1, .h2, .h3, .h4, .h5, .h6: return true
      default: place = Int(elements[place].parent)
      }
    }
    return false
  }
}
