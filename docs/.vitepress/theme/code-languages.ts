import { onContentUpdated } from 'vitepress'
import { onMounted, onUnmounted } from 'vue'

const key = 'service-link-language'

/** Shows code in the language that the reader has chosen last, on every page of this browser. */
export function keepLanguage(): void {
  onMounted(() => document.addEventListener('change', noteChoice))
  onUnmounted(() => document.removeEventListener('change', noteChoice))
  onContentUpdated(() => showLanguage(readLanguage()))
}

const tabsOf = (group: ParentNode) => [...group.querySelectorAll<HTMLInputElement>('.tabs input')]

const titleOf = (tab: HTMLInputElement) => tab.labels?.[0]?.textContent?.trim()

function noteChoice({ target }: Event): void {
  if (!(target instanceof HTMLInputElement) || !target.closest('.vp-code-group')) return
  const language = titleOf(target)
  if (language === undefined) return
  try {
    localStorage.setItem(key, language)
  } catch {
    // Without storage the choice lasts as long as the page.
  }
  showLanguage(language)
}

function readLanguage(): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined
  } catch {
    return undefined
  }
}

/** Does what a click on each group's tab would do, but for scrolling there. */
function showLanguage(language: string | undefined): void {
  for (const group of document.querySelectorAll('.vp-code-group')) {
    const tabs = tabsOf(group)
    const chosen = tabs.findIndex(tab => titleOf(tab) === language)
    const tab = tabs[chosen]
    if (!tab) continue
    tab.checked = true
    const blocks = [...(group.querySelector('.blocks')?.children ?? [])]
    for (const [place, block] of blocks.entries()) block.classList.toggle('active', place === chosen)
  }
}
