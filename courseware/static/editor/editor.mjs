// The code editor of exercise pages: CodeMirror 6 over a textarea that stays the form field.
//
// Owns how code is edited. Knows nothing of exercises, drafts or servers: whoever opens an editor passes
// what its keys should do. Bundled into vendor/codemirror.min.js by vendor/refresh; pages never load this file.

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState, Prec } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";

// A key that the page gives a meaning must not also insert a line or open the browser's dialog.
function pageKeys({ run, submit, save }) {
  const bind = (key, act) => ({ key, preventDefault: true, run: () => (act(), true) });
  return Prec.highest(
    keymap.of([bind("Mod-Shift-Enter", submit), bind("Mod-Enter", run), bind("Mod-s", save)]),
  );
}

/**
 * Puts an editor in front of a textarea and keeps the two equal.
 *
 * textarea: the form field; it is hidden while the editor stands and still posts the text.
 * nonce:    the page's style nonce; without it a strict policy refuses the editor's own style sheet.
 * keys:     { run, submit, save }, called for Ctrl/Cmd+Enter, Ctrl/Cmd+Shift+Enter and Ctrl/Cmd+S.
 * changed:  called with the whole text after every edit.
 */
function openEditor({ textarea, nonce, keys, changed }) {
  const mirror = EditorView.updateListener.of((update) => {
    if (!update.docChanged) return;
    textarea.value = update.state.doc.toString();
    changed(textarea.value);
  });
  const describedBy = textarea.getAttribute("aria-describedby");
  const view = new EditorView({
    state: EditorState.create({
      doc: textarea.value,
      extensions: [
        nonce ? EditorView.cspNonce.of(nonce) : [],
        pageKeys(keys),
        lineNumbers(),
        highlightActiveLineGutter(),
        highlightActiveLine(),
        highlightSpecialChars(),
        highlightSelectionMatches(),
        history(),
        drawSelection(),
        EditorState.allowMultipleSelections.of(true),
        indentUnit.of("    "),
        EditorState.tabSize.of(4),
        indentOnInput(),
        bracketMatching(),
        closeBrackets(),
        // Names are offered when asked for (Ctrl+Space): a list that opens by itself answers for the learner.
        autocompletion({ activateOnTyping: false }),
        search({ top: true }),
        python(),
        syntaxHighlighting(classHighlighter),
        keymap.of([
          ...closeBracketsKeymap,
          ...defaultKeymap,
          ...searchKeymap,
          ...historyKeymap,
          ...completionKeymap,
          ...lintKeymap,
          indentWithTab,
        ]),
        EditorView.contentAttributes.of({
          "aria-label": textarea.labels?.[0]?.textContent.trim() ?? "Code",
          ...(describedBy ? { "aria-describedby": describedBy } : {}),
          // Editable text takes focus without this, but checkers of accessibility look for it.
          tabindex: "0",
          spellcheck: "false",
          autocapitalize: "off",
        }),
        mirror,
      ],
    }),
  });
  textarea.hidden = true;
  textarea.after(view.dom);

  return {
    text: () => view.state.doc.toString(),
    replace(text) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
    },
    markLine(number, message) {
      if (number < 1 || number > view.state.doc.lines) return;
      const line = view.state.doc.line(number);
      view.dispatch(setDiagnostics(view.state, [{ from: line.from, to: line.to, severity: "error", message }]));
    },
    clearMarks() {
      view.dispatch(setDiagnostics(view.state, []));
    },
    focus: () => view.focus(),
  };
}

globalThis.courseware = { ...globalThis.courseware, openEditor };
