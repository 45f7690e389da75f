# Installs a formula as Homebrew does, as far as ours go: FORMULA, where its archives are, and the folder to install into.

require "fileutils"
require "open-uri"
require "digest"
require "tmpdir"

# What a formula may say.
class Formula
  class << self
    attr_reader :archive, :digest

    %i[desc homepage license].each { |word| define_method(word) { |*| nil } }

    def version(text = nil)
      @version = text if text
      @version
    end

    def on_linux = (yield if RUBY_PLATFORM.include?("linux"))
    def on_macos = (yield if RUBY_PLATFORM.include?("darwin"))
    def on_intel = (yield if RUBY_PLATFORM.start_with?("x86_64"))
    def on_arm = (yield if RUBY_PLATFORM.start_with?("aarch64", "arm64"))
    def url(text) = @archive = text
    def sha256(text) = @digest = text
    def test = nil
  end

  # A folder that files are installed into, also under other names.
  Folder = Struct.new(:path) do
    def install(*files)
      FileUtils.mkdir_p(path)
      files.flatten.each do |file|
        pairs = file.is_a?(Hash) ? file : { file => File.basename(file) }
        pairs.each { |from, to| FileUtils.cp(from, File.join(path, to)) }
      end
    end
  end

  def initialize(prefix) = @prefix = prefix

  %i[bin man1 bash_completion zsh_completion fish_completion].each do |name|
    define_method(name) { Folder.new(File.join(@prefix, name.to_s)) }
  end
end

formula, downloads, prefix = ARGV
load File.expand_path(formula)
published = "/releases/download/"
start = CrdChannels.archive.index(published) + published.length
bytes = URI.parse("#{downloads}/#{CrdChannels.archive[start..]}").read
abort "another digest" unless Digest::SHA256.hexdigest(bytes) == CrdChannels.digest
Dir.mktmpdir do |folder|
  Dir.chdir(folder) do
    File.binwrite("archive.tar.gz", bytes)
    system("tar", "-xzf", "archive.tar.gz", exception: true)
    CrdChannels.new(File.expand_path(prefix)).install
  end
end
