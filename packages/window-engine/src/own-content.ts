/** A page of the wrapper's own, drawn by the engine: text only, no markup, nothing from the network. */
export interface OwnPage {
  readonly title: string
  /** Paragraphs below the title. */
  readonly paragraphs: readonly string[]
  /** The press of one is the event `ownPageAction` with its action; reloading the page by a key is the press of the first. */
  readonly buttons: readonly { readonly action: string; readonly label: string }[]
  /** Language of the texts, BCP 47, for those who have them read out. Default `en`. */
  readonly language?: string
}

/** A line above the page that the user can follow or put away: text only, no markup. */
export interface WindowNotice {
  readonly text: string
  /** What is pressed to follow it; absent: there is nothing to follow. */
  readonly followLabel?: string
  /** What is pressed to put it away, for those who see it and those who have it read out. */
  readonly dismissLabel: string
}
