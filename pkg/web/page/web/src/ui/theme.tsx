import { useState } from 'preact/hooks';
import { local } from './storage';

const KEY = 'theme';
const choices = [
  ['auto', 'Auto'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const;
type Choice = (typeof choices)[number][0];

function stored(): Choice {
  const value = local.get(KEY);
  return value === 'light' || value === 'dark' ? value : 'auto';
}

/** Sets the colours before the first drawing. */
export function applyTheme(choice: Choice = stored()): void {
  if (choice === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = choice;
}

/** Switches between the device's colours, light and dark. */
export function Theme() {
  const [choice, set] = useState<Choice>(stored());
  const choose = (next: Choice) => {
    local.set(KEY, next);
    applyTheme(next);
    set(next);
  };
  return (
    <label class="theme">
      <span class="hidden">Theme</span>
      <select value={choice} onChange={(e) => choose(e.currentTarget.value as Choice)}>
        {choices.map(([value, name]) => (
          <option value={value} key={value}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
