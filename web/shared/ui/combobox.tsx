import type { InputHTMLAttributes, RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Choice } from '../suggestions.ts';

interface ComboboxProps<C extends Choice> {
  id: string;
  input?: RefObject<HTMLInputElement | null>;
  /** Attributes of the field, such as its placeholder. */
  field?: InputHTMLAttributes;
  text: string;
  choices: readonly C[];
  isOpen: boolean;
  onType(text: string): void;
  onChoose(choice: C): void;
  onOpen(isOpen: boolean): void;
  onFocus?(): void;
}

/**
 * A text field with a list of choices: the editable combobox of the ARIA Authoring Practices, with list autocomplete and manual selection.
 * Down and Up walk through the list, Enter chooses, Escape closes it, or empties the field. The focus stays in the field.
 */
export function Combobox<C extends Choice>(props: ComboboxProps<C>) {
  const { id, input, field, text, choices, isOpen, onType, onChoose, onOpen, onFocus } = props;
  /** The key of the choice that the arrows have reached; it may be gone from the list. */
  const [active, setActive] = useState<string>();
  const list = useRef<HTMLDivElement>(null);
  const isShown = isOpen && choices.length > 0;
  const at = isShown ? choices.findIndex(({ key }) => key === active) : -1;
  const idOf = (number: number) => `${id}-choice-${number}`;
  useEffect(() => {
    list.current?.querySelectorAll('[role="option"]')[at]?.scrollIntoView({ block: 'nearest' });
  }, [at]);

  const choose = (choice: C) => {
    setActive(undefined);
    onOpen(false);
    onChoose(choice);
  };
  const walk = (by: 1 | -1, isOnlyOpened: boolean) => {
    if (choices.length === 0) return;
    onOpen(true);
    const next = at < 0 && by < 0 ? choices.length - 1 : at + by;
    if (!isOnlyOpened) setActive(choices[(next + choices.length) % choices.length]?.key);
  };
  const keys: Record<string, (event: KeyboardEvent) => boolean> = {
    ArrowDown: ({ altKey }) => {
      walk(1, altKey);
      return true;
    },
    ArrowUp: ({ altKey }) => {
      if (altKey) onOpen(false);
      else walk(-1, false);
      return true;
    },
    Enter: () => {
      const choice = choices[at];
      if (choice) choose(choice);
      return choice !== undefined;
    },
    Escape: () => {
      setActive(undefined);
      if (isShown) onOpen(false);
      else onType('');
      return true;
    },
  };
  const press = (event: KeyboardEvent) => {
    // Enter ends the composition of a word.
    if (event.isComposing) return;
    const done = keys[event.key];
    if (done ? done(event) : false) event.preventDefault();
    // The cursor moves, or something is typed.
    else if (!['Enter', 'Shift', 'Control', 'Alt', 'Meta'].includes(event.key)) setActive(undefined);
  };

  return (
    <div class="combobox">
      <input
        {...(field as object)}
        ref={input ?? null}
        id={id}
        type="text"
        role="combobox"
        aria-expanded={isShown}
        aria-controls={`${id}-choices`}
        aria-autocomplete="list"
        aria-activedescendant={at < 0 ? undefined : idOf(at)}
        autoComplete="off"
        spellcheck={false}
        enterkeyhint="search"
        value={text}
        onInput={({ currentTarget }) => onType(currentTarget.value)}
        onKeyDown={press}
        onFocus={onFocus}
        onBlur={() => onOpen(false)}
      />
      <div
        ref={list}
        id={`${id}-choices`}
        role="listbox"
        aria-label="Suggestions"
        class="suggestions"
        hidden={!isShown}
        // The field keeps the focus.
        onMouseDown={(event) => event.preventDefault()}
      >
        {choices.map((choice, number) => [
          choice.group && choice.group !== choices[number - 1]?.group && (
            <div key={choice.group} class="suggestion-group" role="presentation">
              {choice.group}
            </div>
          ),
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys
          // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus
          <div
            key={choice.key}
            id={idOf(number)}
            role="option"
            aria-selected={number === at}
            onClick={() => choose(choice)}
          >
            {choice.text} {choice.note && <span class="muted small">{choice.note}</span>}
          </div>,
        ])}
      </div>
      <span class="visually-hidden" role="status">
        {isShown && `${choices.length} ${choices.length === 1 ? 'suggestion' : 'suggestions'}.`}
      </span>
    </div>
  );
}
