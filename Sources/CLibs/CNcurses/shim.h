#ifndef NEWSD_CNCURSES_SHIM_H
#define NEWSD_CNCURSES_SHIM_H

// The library is loaded when the reader opens, not at program start. Its functions are called through pointers whose
// types come from the header's declarations, so that the program is not linked with it. Swift cannot import macros
// and globals of curses (stdscr, COLORS, KEY_…); the functions and constants below replace them.
#ifndef _XOPEN_SOURCE_EXTENDED
#define _XOPEN_SOURCE_EXTENDED 1
#endif
#ifndef NCURSES_WIDECHAR
#define NCURSES_WIDECHAR 1
#endif
#define NCURSES_NOMACROS 1
#include <ncurses.h>
#include <term.h>
// term.h defines macros such as "lines" and "columns", which would change names in other headers.
#undef lines
#undef columns
#undef tab

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

// wchar.h declares wcwidth only for X/Open programs.
extern int wcwidth(wchar_t scalar);

static inline int newsd_columns(wchar_t scalar) { return wcwidth(scalar); }

// Only one Swift file calls these functions, so this state exists once, in its object file.
struct newsd_curses_state {
  void *library;
  struct termios modes;
  char bytes[512];
  size_t count;
  volatile sig_atomic_t is_set;
  bool stops_reordering;
};

static inline struct newsd_curses_state *newsd_curses_state(void) {
  static struct newsd_curses_state state;
  return &state;
}

static inline const char *newsd_curses_load(void) {
  struct newsd_curses_state *state = newsd_curses_state();
  if (!state->library) state->library = dlopen("libncursesw.so.6", RTLD_NOW | RTLD_LOCAL);
  return state->library ? NULL : dlerror();
}

static inline void *newsd_curses_symbol(const char *name) {
  void *symbol = dlsym(newsd_curses_state()->library, name);
  if (!symbol) {
    fprintf(stderr, "newsd: libncursesw lacks %s\n", name);
    _exit(70);
  }
  return symbol;
}

#define NEWSD_CURSES(name) ((__typeof__(&name))newsd_curses_symbol(#name))
#define NEWSD_CURSES_CACHED(variable, name) \
  static __typeof__(&name) variable; \
  if (!variable) variable = NEWSD_CURSES(name)

static inline WINDOW *newsd_curses_window(void) { return *(WINDOW **)newsd_curses_symbol("stdscr"); }

// MARK: The terminal as it was, for any end of the process

// Restores the terminal. Calls only functions that signal-safety(7) allows.
static inline void newsd_guard_restore(void) {
  struct newsd_curses_state *state = newsd_curses_state();
  if (!state->is_set) return;
  state->is_set = 0;
  ssize_t ignored = write(STDOUT_FILENO, state->bytes, state->count);
  (void)ignored;
  tcsetattr(STDIN_FILENO, TCSANOW, &state->modes);
}

static inline void newsd_guard_handle(int number) {
  newsd_guard_restore();
  signal(number, SIG_DFL);
  raise(number);
}

// Returns a string capability, or NULL if the terminal lacks it; tigetstr returns -1 for other capabilities.
static inline const char *newsd_curses_capability(const char *name) {
  __typeof__(&tigetstr) find = NEWSD_CURSES(tigetstr);
  // An older terminfo declares the name without const.
  const char *bytes = find((char *)name);
  return bytes == (const char *)-1 ? NULL : bytes;
}

// Adds bytes to write at the end of the process. Omits the pauses of terminfo strings, such as $<5>, which only tputs
// understands.
static inline void newsd_guard_append(const char *bytes) {
  struct newsd_curses_state *state = newsd_curses_state();
  while (bytes && *bytes) {
    const char *end = bytes[0] == '$' && bytes[1] == '<' ? strchr(bytes, '>') : NULL;
    if (end) {
      bytes = end + 1;
    } else {
      if (state->count == sizeof state->bytes) return;
      state->bytes[state->count++] = *bytes++;
    }
  }
}

static inline void newsd_guard_install(bool has_mouse) {
  newsd_curses_state()->count = 0;
  if (newsd_curses_state()->stops_reordering) newsd_guard_append("\033[8h");
  if (has_mouse) newsd_guard_append("\033[?1000l\033[?1002l\033[?1006l");
  newsd_guard_append(newsd_curses_capability("rmkx"));
  newsd_guard_append(newsd_curses_capability("sgr0"));
  newsd_guard_append(newsd_curses_capability("cnorm"));
  const char *back = newsd_curses_capability("rmcup");
  newsd_guard_append(back ? back : newsd_curses_capability("clear"));
  newsd_curses_state()->is_set = 1;
  int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP};
  for (size_t index = 0; index < sizeof crashes / sizeof *crashes; index++) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = newsd_guard_handle;
    action.sa_flags = SA_NODEFER;
    sigaction(crashes[index], &action, NULL);
  }
}

// MARK: Opening and closing

// Sets bidirectional support mode (ECMA-48, mode 8). If it is reset, the terminal shows text in the order of
// transmission.
static inline void newsd_curses_reorder(bool is_on) {
  if (!newsd_curses_state()->stops_reordering) return;
  fputs(is_on ? "\033[8h" : "\033[8l", stdout);
  fflush(stdout);
}

// Opens the screen. Returns false if terminfo does not know the terminal, or if the terminal cannot move the cursor.
static inline bool newsd_curses_open(bool wants_mouse, bool stops_reordering) {
  newsd_curses_state()->stops_reordering = stops_reordering;
  tcgetattr(STDIN_FILENO, &newsd_curses_state()->modes);
  if (!NEWSD_CURSES(newterm)(NULL, stdout, stdin)) return false;
  if (!newsd_curses_capability("cup")) {
    NEWSD_CURSES(endwin)();
    return false;
  }
  newsd_guard_install(wants_mouse);
  newsd_curses_reorder(false);
  WINDOW *window = newsd_curses_window();
  NEWSD_CURSES(raw)();
  NEWSD_CURSES(noecho)();
  NEWSD_CURSES(nonl)();
  NEWSD_CURSES(keypad)(window, TRUE);
  NEWSD_CURSES(nodelay)(window, TRUE);
  NEWSD_CURSES(set_escdelay)(25);
  NEWSD_CURSES(curs_set)(0);
  if (NEWSD_CURSES(has_colors)()) {
    NEWSD_CURSES(start_color)();
    NEWSD_CURSES(use_default_colors)();
  }
  if (wants_mouse) {
    NEWSD_CURSES(mousemask)(BUTTON1_PRESSED | BUTTON1_RELEASED | BUTTON1_CLICKED | BUTTON1_DOUBLE_CLICKED |
                                BUTTON4_PRESSED | BUTTON5_PRESSED,
                            NULL);
    NEWSD_CURSES(mouseinterval)(0);
  }
  return true;
}

// Restores the terminal, before another program runs or the reader ends.
static inline void newsd_curses_leave(void) {
  // Without a second screen, the shell would write over the reader's last line.
  if (!newsd_curses_capability("rmcup")) {
    NEWSD_CURSES(werase)(newsd_curses_window());
    NEWSD_CURSES(wrefresh)(newsd_curses_window());
  }
  NEWSD_CURSES(endwin)();
  newsd_curses_reorder(true);
  fflush(stdout);
  newsd_curses_state()->is_set = 0;
}

static inline void newsd_curses_return(void) {
  newsd_curses_state()->is_set = 1;
  newsd_curses_reorder(false);
  WINDOW *window = newsd_curses_window();
  NEWSD_CURSES(clearok)(window, TRUE);
  NEWSD_CURSES(wrefresh)(window);
  NEWSD_CURSES(curs_set)(0);
}

static inline void newsd_curses_resize(int rows, int columns) {
  // resizeterm would put KEY_RESIZE before all other keys.
  NEWSD_CURSES(resize_term)(rows, columns);
  NEWSD_CURSES(clearok)(newsd_curses_window(), TRUE);
}

static inline void newsd_curses_redraw(void) { NEWSD_CURSES(clearok)(newsd_curses_window(), TRUE); }

// MARK: Drawing

static inline int newsd_curses_colours(void) {
  return NEWSD_CURSES(has_colors)() ? *(int *)newsd_curses_symbol("COLORS") : 0;
}

static inline bool newsd_curses_has_direct_colour(void) { return NEWSD_CURSES(tigetflag)("RGB") == 1; }

// Returns a pair of colours; -1 is the terminal's default colour.
static inline int newsd_curses_pair(int foreground, int background) {
  int pair = NEWSD_CURSES(alloc_pair)(foreground, background);
  return pair < 0 ? 0 : pair;
}

static inline void newsd_curses_style(uint32_t attributes, int pair) {
  NEWSD_CURSES_CACHED(set, wattr_set);
  set(newsd_curses_window(), attributes, (short)pair, &pair);
}

static inline void newsd_curses_put(int row, int column, const wchar_t *text, int count) {
  NEWSD_CURSES_CACHED(move, wmove);
  NEWSD_CURSES_CACHED(add, waddnwstr);
  WINDOW *window = newsd_curses_window();
  if (move(window, row, column) == OK) add(window, text, count);
}

static inline void newsd_curses_clear_line(int row) {
  WINDOW *window = newsd_curses_window();
  NEWSD_CURSES(wmove)(window, row, 0);
  NEWSD_CURSES(wclrtoeol)(window);
}

// Shows the screen with the cursor at a position; a negative row hides the cursor.
static inline void newsd_curses_show(int row, int column) {
  WINDOW *window = newsd_curses_window();
  NEWSD_CURSES(curs_set)(row < 0 ? 0 : 1);
  if (row >= 0) NEWSD_CURSES(wmove)(window, row, column);
  NEWSD_CURSES(wrefresh)(window);
}

// MARK: Keys

enum newsd_curses_input { newsd_curses_none, newsd_curses_character, newsd_curses_key };

static inline enum newsd_curses_input newsd_curses_read(uint32_t *value) {
  NEWSD_CURSES_CACHED(read_key, wget_wch);
  wint_t code = 0;
  int kind = read_key(newsd_curses_window(), &code);
  *value = (uint32_t)code;
  return kind == OK ? newsd_curses_character : kind == KEY_CODE_YES ? newsd_curses_key : newsd_curses_none;
}

enum newsd_curses_mouse {
  newsd_curses_press,
  newsd_curses_wheel_up,
  newsd_curses_wheel_down,
  newsd_curses_other
};

static inline enum newsd_curses_mouse newsd_curses_mouse_event(int *row, int *column) {
  MEVENT event;
  if (NEWSD_CURSES(getmouse)(&event) != OK) return newsd_curses_other;
  *row = event.y;
  *column = event.x;
  if (event.bstate & BUTTON4_PRESSED) return newsd_curses_wheel_up;
  if (event.bstate & BUTTON5_PRESSED) return newsd_curses_wheel_down;
  return event.bstate & (BUTTON1_PRESSED | BUTTON1_CLICKED) ? newsd_curses_press : newsd_curses_other;
}

static const uint32_t newsd_key_down = KEY_DOWN, newsd_key_up = KEY_UP, newsd_key_left = KEY_LEFT,
                      newsd_key_right = KEY_RIGHT, newsd_key_home = KEY_HOME, newsd_key_end = KEY_END,
                      newsd_key_next_page = KEY_NPAGE, newsd_key_previous_page = KEY_PPAGE,
                      newsd_key_backspace = KEY_BACKSPACE, newsd_key_delete = KEY_DC,
                      newsd_key_insert = KEY_IC, newsd_key_enter = KEY_ENTER, newsd_key_back_tab = KEY_BTAB,
                      newsd_key_resize = KEY_RESIZE, newsd_key_mouse = KEY_MOUSE, newsd_key_f0 = KEY_F0;

static const uint32_t newsd_bold = A_BOLD, newsd_faint = A_DIM, newsd_italic = A_ITALIC,
                      newsd_underline = A_UNDERLINE, newsd_reverse = A_REVERSE;

#endif
