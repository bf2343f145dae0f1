package ignore

import (
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
)

// gitConfig is the little of git's configuration that decides what belongs to a tree.
type gitConfig struct {
	excludes    string // core.excludesFile as written
	excludesSet bool
	fold        bool // core.ignoreCase
	sha256      bool // extensions.objectFormat
	worktree    bool // extensions.worktreeConfig
}

// configReader reads the files that make up one repository's configuration, later ones winning.
type configReader struct {
	env    func(string) (string, bool)
	gitDir string
	depth  int // of include directives
	gitConfig
}

// maxIncludes is how deep include directives may nest, as in git.
const maxIncludes = 10

// readConfig reads system, user, repository, work tree and environment settings, in git's order.
func readConfig(env func(string) (string, bool), gitDir, commonDir string) gitConfig {
	r := configReader{env: env, gitDir: gitDir}
	if skip, _ := env("GIT_CONFIG_NOSYSTEM"); !isTrue(skip) {
		system := "/etc/gitconfig"
		if p, ok := env("GIT_CONFIG_SYSTEM"); ok {
			system = p
		}
		r.file(system)
	}
	if p, ok := env("GIT_CONFIG_GLOBAL"); ok {
		r.file(p)
	} else {
		r.file(xdgPath(env, "config"))
		if home, _ := env("HOME"); home != "" {
			r.file(home + "/.gitconfig")
		}
	}
	if commonDir != "" {
		r.file(commonDir + "/config")
	}
	if r.worktree && gitDir != "" {
		r.file(gitDir + "/config.worktree")
	}
	r.environment()
	return r.gitConfig
}

// environment applies GIT_CONFIG_COUNT and its numbered keys and values.
func (r *configReader) environment() {
	count, _ := r.env("GIT_CONFIG_COUNT")
	n := 0
	for _, c := range []byte(count) {
		if !isDigit(c) || n > 1000 {
			return
		}
		n = n*10 + int(c-'0')
	}
	for i := range n {
		num := strconv.Itoa(i)
		key, ok := r.env("GIT_CONFIG_KEY_" + num)
		value, ok2 := r.env("GIT_CONFIG_VALUE_" + num)
		if !ok || !ok2 {
			return
		}
		r.set(strings.ToLower(key), value, "")
	}
}

func (r *configReader) file(path string) {
	if path == "" || r.depth > maxIncludes {
		return
	}
	data, err := readFile(atCwd, path, true)
	if err != nil {
		return // as good as absent; git warns and goes on
	}
	parseConfig(string(data), func(key, value string) { r.set(key, value, path) })
}

// set applies one setting. The key is "section.name", or "section.subsection.name" with the subsection as it is
// written; file is where it stands.
func (r *configReader) set(key, value, file string) {
	switch key {
	case "core.excludesfile":
		r.excludes, r.excludesSet = value, true
	case "core.ignorecase":
		r.fold = isTrue(value)
	case "extensions.objectformat":
		r.sha256 = strings.EqualFold(value, "sha256")
	case "extensions.worktreeconfig":
		r.worktree = isTrue(value)
	case "include.path":
		r.include(value, file)
	default:
		cond, ok := strings.CutPrefix(key, "includeif.")
		if !ok {
			return
		}
		if cond, ok = strings.CutSuffix(cond, ".path"); ok && r.holds(cond, file) {
			r.include(value, file)
		}
	}
}

func (r *configReader) include(path, from string) {
	path = expandHome(r.env, path)
	if !filepath.IsAbs(path) {
		if from == "" {
			return
		}
		path = filepath.Join(filepath.Dir(from), path)
	}
	r.depth++
	r.file(path)
	r.depth--
}

// holds decides the gitdir: and gitdir/i: conditions of includeIf. Others (onbranch, hasconfig) do not hold.
func (r *configReader) holds(cond, file string) bool {
	kind, pat, ok := strings.Cut(cond, ":")
	if !ok || kind != "gitdir" && kind != "gitdir/i" {
		return false
	}
	pat = expandHome(r.env, pat)
	if rest, ok := strings.CutPrefix(pat, "./"); ok && file != "" {
		pat = filepath.Dir(file) + "/" + rest
	}
	if !filepath.IsAbs(pat) {
		pat = "**/" + pat
	}
	if strings.HasSuffix(pat, "/") {
		pat += "**"
	}
	g := compileGlob(pat, true, kind == "gitdir/i")
	return g.match(r.gitDir)
}

// excludesPath is the file of the user's own exclude patterns; empty if there is none. top is the work tree.
func (c *gitConfig) excludesPath(env func(string) (string, bool), top string) string {
	if !c.excludesSet {
		return xdgPath(env, "ignore")
	}
	path := expandHome(env, c.excludes)
	if path != "" && !filepath.IsAbs(path) {
		path = filepath.Join(top, path)
	}
	return path
}

func xdgPath(env func(string) (string, bool), name string) string {
	if dir, _ := env("XDG_CONFIG_HOME"); dir != "" {
		return dir + "/git/" + name
	}
	if home, _ := env("HOME"); home != "" {
		return home + "/.config/git/" + name
	}
	return ""
}

// expandHome replaces a leading "~/" or "~user/".
func expandHome(env func(string) (string, bool), path string) string {
	rest, ok := strings.CutPrefix(path, "~")
	if !ok {
		return path
	}
	name, tail, _ := strings.Cut(rest, "/")
	if name == "" {
		home, _ := env("HOME")
		return home + "/" + tail
	}
	u, err := user.Lookup(name)
	if err != nil {
		return ""
	}
	return u.HomeDir + "/" + tail
}

// isTrue reads a boolean; a key without '=' arrives here as "true".
func isTrue(v string) bool {
	switch strings.ToLower(v) {
	case "true", "yes", "on":
		return true
	}
	return v != "" && strings.Trim(v, "0123456789kmgKMG") == "" && strings.Trim(v, "0") != ""
}
